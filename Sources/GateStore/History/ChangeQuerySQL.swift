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
        var conditions = ["c.sequence > :after", "c.sequence < :before"]
        var named: [String: (any SQLBindable)?] = [
            "after": query.after ?? 0, "before": query.before ?? Int.max, "limit": query.limit,
        ]
        func add(_ condition: String, _ name: String, _ value: (any SQLBindable)?) {
            guard let value else { return }
            conditions.append(condition)
            named.updateValue(value, forKey: name)
        }
        add("c.source = :source", "source", query.source?.rawValue)
        add("c.at >= :since", "since", query.since?.milliseconds)
        add("c.at < :until", "until", query.until?.milliseconds)
        if let actor = query.actor { named.updateValue(actor, forKey: "actor") }
        let others = conditions.joined(separator: " AND ")
        let wanted = others + (query.actor == nil ? "" : " AND (c.actor_name = :actor OR c.actor_user = :actor)")

        if let app = query.app {
            named.updateValue(app.text, forKey: "app")
            if let platform = query.platform { named.updateValue(platform.text, forKey: "platform") }
            // CROSS JOIN keeps SQLite from walking the changes first; with the condition in WHERE it is an ordinary join to PostgreSQL.
            let ofTargets = """
                SELECT t.sequence FROM change_targets t CROSS JOIN changes c
                WHERE c.sequence = t.sequence AND t.app = :app AND t.sequence > :after AND t.sequence < :before\(query.platform == nil ? "" : " AND t.platform = :platform") AND \(wanted)
                """
            let ofApp = "SELECT c.sequence FROM changes c WHERE c.app = :app AND \(wanted)"
            sql = query.platform == nil ? Self.merged([ofTargets, ofApp], on: kind) : ofTargets + " ORDER BY 1 DESC LIMIT :limit"
        } else if let platform = query.platform {
            named.updateValue(platform.text, forKey: "platform")
            sql = """
                SELECT DISTINCT t.sequence FROM change_targets t CROSS JOIN changes c
                WHERE c.sequence = t.sequence AND t.platform = :platform AND t.sequence > :after AND t.sequence < :before AND \(wanted)
                ORDER BY 1 DESC LIMIT :limit
                """
        } else if query.actor != nil {
            // An OR would make SQLite collect and sort everything that the actor ever did.
            let walks = ["actor_name", "actor_user"].map { "SELECT c.sequence FROM changes c WHERE \(others) AND c.\($0) = :actor" }
            sql = Self.merged(walks, on: kind)
        } else {
            sql = "SELECT c.sequence FROM changes c WHERE \(wanted) ORDER BY c.sequence DESC LIMIT :limit"
        }
        arguments = SQLArguments(named)
    }

    /// The newest of several walks, at most `:limit`. SQLite merges them as it goes; PostgreSQL would collect each completely and then
    /// sort, so there each walk gets the limit as well.
    /// - Parameter walks: SELECTs of one column, which may give a row more than once.
    static func merged(_ walks: [String], on kind: SQLConnection.Kind) -> String {
        let newest = " ORDER BY 1 DESC LIMIT :limit"
        let parts =
            switch kind {
            case .sqlite: walks
            // GROUP BY, since a repeated row must not count towards the limit.
            case .postgresql: walks.map { "(\($0) GROUP BY 1\(newest))" }
            }
        return parts.joined(separator: " UNION ") + newest
    }
}
