import GateJSON
import GateModel

/// The SELECT for the sequences that a ``ChangeQuery`` asks for.
///
/// It walks one index from its newest end and stops at the limit, whatever the length of the history. With an app it merges two such walks,
/// over the targets' rows and over the changes to the app itself; UNION removes duplicates from changes with several targets. With only an
/// actor it merges the walk over changes with that actor name and the walk over changes made with that person's tokens.
struct ChangeQuerySQL {
    let sql: String
    let arguments: SQLArguments

    /// - Parameter kind: the engine that is queried.
    init(_ query: ChangeQuery, on kind: SQLConnection.Kind) {
        var list = NewestFirst("c.sequence", after: query.after, before: query.before, limit: query.limit)
        list.add("c.source = :source", "source", query.source?.rawValue)
        list.add("c.at >= :since", "since", query.since?.milliseconds)
        list.add("c.at < :until", "until", query.until?.milliseconds)
        list.name("actor", query.actor)
        list.name("app", query.app?.text)
        list.name("platform", query.platform?.text)
        let others = list.condition
        let wanted = others + (query.actor == nil ? "" : " AND (c.actor_name = :actor OR c.actor_user = :actor)")

        if query.app != nil {
            // CROSS JOIN keeps SQLite from walking the changes first; with the condition in WHERE it is an ordinary join to PostgreSQL.
            let ofTargets = """
                SELECT t.sequence FROM change_targets t CROSS JOIN changes c
                WHERE c.sequence = t.sequence AND t.app = :app AND t.sequence > :after AND t.sequence < :before\(query.platform == nil ? "" : " AND t.platform = :platform") AND \(wanted)
                """
            let ofApp = "SELECT c.sequence FROM changes c WHERE c.app = :app AND \(wanted)"
            sql = query.platform == nil ? NewestFirst.merged([ofTargets, ofApp], on: kind) : ofTargets + " ORDER BY 1 DESC LIMIT :limit"
        } else if query.platform != nil {
            sql = """
                SELECT DISTINCT t.sequence FROM change_targets t CROSS JOIN changes c
                WHERE c.sequence = t.sequence AND t.platform = :platform AND t.sequence > :after AND t.sequence < :before AND \(wanted)
                ORDER BY 1 DESC LIMIT :limit
                """
        } else if query.actor != nil {
            // An OR would make SQLite collect and sort everything that the actor ever did.
            let walks = ["actor_name", "actor_user"].map { "SELECT c.sequence FROM changes c WHERE \(others) AND c.\($0) = :actor" }
            sql = NewestFirst.merged(walks, on: kind)
        } else {
            sql = "SELECT c.sequence FROM changes c WHERE \(wanted) ORDER BY c.sequence DESC LIMIT :limit"
        }
        arguments = list.arguments
    }
}
