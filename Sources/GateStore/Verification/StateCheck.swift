import GateJSON
import GateModel

/// Compares the current gates and apps with the history that led to them: an alteration that bypasses the history is found.
enum StateCheck {
    /// The final state of a target according to the history.
    private struct Reached: Equatable {
        var revision: Int
        var sequence: Int
        var gate: String
        /// Nil when the target was deleted.
        var settings: String?
    }

    static func faults(in db: SQLConnection) throws -> [StoreFault] {
        var expected: [String: Reached] = [:]
        let history = try db.cursor(
            sql: "SELECT app, platform, sequence, revision, after, settings_after FROM change_targets ORDER BY sequence, position"
        )
        while let row = try history.next() {
            let key = try name(row)
            let settings: String? = try row.stored("settings_after")
            expected[key] = Reached(
                revision: try row.stored("revision"),
                sequence: try row.stored("sequence"),
                gate: try row.stored("after"),
                settings: settings == "null" ? nil : settings ?? expected[key]?.settings
            )
        }
        var faults: [StoreFault] = []
        var seen: Set<String> = []
        for row in try db.rows(sql: "SELECT app, platform, sequence, revision, gate, settings FROM targets ORDER BY app, platform") {
            let key = try name(row)
            seen.insert(key)
            let found = Reached(
                revision: try row.stored("revision"),
                sequence: try row.stored("sequence"),
                gate: try row.stored("gate"),
                settings: try row.stored("settings")
            )
            guard found != expected[key] else { continue }
            faults.append(
                StoreFault(place: "targets", row: key, problem: "is not what the history says: \(difference(found, expected[key]))")
            )
        }
        let retired = try db.rows(sql: "SELECT app, platform, revision FROM retired_targets ORDER BY app, platform")
        for row in retired {
            let key = try name(row)
            seen.insert(key)
            let revision: Int = try row.stored("revision")
            guard let outcome = expected[key], outcome.settings == nil, outcome.revision == revision else {
                faults.append(StoreFault(place: "retired_targets", row: key, problem: "is not what the history says"))
                continue
            }
        }
        for key in expected.keys.sorted() where !seen.contains(key) {
            faults.append(
                StoreFault(place: expected[key]?.settings == nil ? "retired_targets" : "targets", row: key, problem: "is missing")
            )
        }
        return try faults + appFaults(in: db)
    }

    /// Names and aliases that are not what the history says. Nothing is known for an app that was last edited before the history recorded
    /// these.
    private static func appFaults(in db: SQLConnection) throws -> [StoreFault] {
        var expected: [String: JSONValue] = [:]
        var ownFeeds: [String: [String: String]] = [:]
        let history = try db.cursor(sql: "SELECT sequence, apps_after FROM changes WHERE apps_after IS NOT NULL ORDER BY sequence")
        while let row = try history.next() {
            let text: String = try row.stored("apps_after")
            // Invalid JSON is as much of a fault as a wrong document.
            guard let apps = (try? JSONReader.read(text, limits: .own))?.object else {
                let sequence: Int = try row.stored("sequence")
                return [StoreFault(place: "changes", row: sequence, problem: "apps_after is no document of apps")]
            }
            for (key, app) in apps.members {
                expected[key] = app
                if app.isNull { ownFeeds[key] = nil }
                for (name, feed) in app.object?["ownFeeds"]?.object?.members ?? [] {
                    ownFeeds[key, default: [:]][name] = feed.isNull ? nil : feed.text
                }
            }
        }
        var faults: [StoreFault] = []
        for row in try db.rows(sql: "SELECT key, name, aliases FROM apps ORDER BY key") {
            let key: String = try row.stored("key")
            guard let app = expected.removeValue(forKey: key) else { continue }
            let name: String = try row.stored("name")
            let aliases: String = try row.stored("aliases")
            guard let object = app.object else {
                faults.append(StoreFault(place: "apps", row: key, problem: "is not what the history says: it was deleted"))
                continue
            }
            for (member, found) in [("name", JSONValue.string(name).text), ("aliases", aliases)] where object[member]?.text != found {
                faults.append(
                    StoreFault(
                        place: "apps",
                        row: key,
                        problem: "is not what the history says: the \(member) differ\(member == "name" ? "s" : "")"
                    )
                )
            }
        }
        for key in expected.keys.sorted() where expected[key] != .null {
            faults.append(StoreFault(place: "apps", row: key, problem: "is missing"))
        }
        return try faults + ownFeedFaults(ownFeeds, in: db)
    }

    /// Feeds of own shapes that are not what the history says.
    /// - Parameter expected: documents by app and name.
    private static func ownFeedFaults(_ expected: [String: [String: String]], in db: SQLConnection) throws -> [StoreFault] {
        var expected = expected
        var faults: [StoreFault] = []
        for row in try db.rows(sql: "SELECT app, name, document FROM own_feeds ORDER BY app, name") {
            let app: String = try row.stored("app")
            let (name, document): (String, String) = (try row.stored("name"), try row.stored("document"))
            guard expected[app]?.removeValue(forKey: name) != document else { continue }
            faults.append(StoreFault(place: "own_feeds", row: "\(app)/\(name)", problem: "is not what the history says"))
        }
        let missing = expected.flatMap { app, feeds in feeds.keys.map { "\(app)/\($0)" } }
        return faults + missing.sorted().map { StoreFault(place: "own_feeds", row: $0, problem: "is missing") }
    }

    /// The first target whose gate is not that of its revision in the history, or that is gone although the history never deleted it:
    /// nothing else reveals a lost page. Run at every start, so it reads no more than a few rows of the history for each target.
    /// - Parameter only: the apps to look at; nil for all.
    static func firstDoubt(in db: SQLConnection, of only: Set<AppKey>? = nil) throws -> StoreFault? {
        if only == nil, let missing = try firstMissing(in: db) { return missing }
        let doubtful = """
            SELECT targets.app, targets.platform FROM targets
            LEFT JOIN change_targets AS history USING (app, platform, revision)
            WHERE (history.sequence IS DISTINCT FROM targets.sequence OR history.after IS DISTINCT FROM targets.gate)
            """
        let row: SQLRow?
        if let only {
            let statement = try db.cachedStatement(sql: doubtful + " AND targets.app = ?")
            row = try only.sorted().compactMap { try statement.row(arguments: [$0.text]) }.first
        } else {
            row = try db.row(sql: doubtful)
        }
        return try row.map { StoreFault(place: "targets", row: try name($0), problem: "is not what the history says") }
    }

    /// The first target in the history that is neither a current nor a deleted target, or whose app is missing; or an app that has lost
    /// feeds of own shapes.
    private static func firstMissing(in db: SQLConnection) throws -> StoreFault? {
        let known = knownTargets(db)
        let gone = try db.cursor(
            sql: """
                SELECT app, platform FROM (\(known)) AS known
                WHERE NOT EXISTS (SELECT 1 FROM targets WHERE targets.app = known.app AND targets.platform = known.platform)
                    AND NOT EXISTS (SELECT 1 FROM retired_targets AS old WHERE old.app = known.app AND old.platform = known.platform)
                """
        )
        while let row = try gone.next() {
            // An invalid key belongs to no target: that row of the history is reported as unreadable.
            guard (try? ChangeRows.target(row)) != nil else { continue }
            return StoreFault(place: "targets", row: try name(row), problem: "is missing")
        }
        let robbed = try db.row(
            sql: """
                SELECT key, own_feed_count FROM apps
                WHERE own_feed_count <> (SELECT count(*) FROM own_feeds WHERE own_feeds.app = apps.key) LIMIT 1
                """
        )
        if let robbed {
            let (app, count): (String, Int) = (try robbed.stored("key"), try robbed.stored("own_feed_count"))
            return StoreFault(place: "own_feeds", row: app, problem: "are not the \(count) that were written")
        }
        let homeless = try db.row(sql: "SELECT app FROM targets WHERE app NOT IN (SELECT key FROM apps) LIMIT 1")
        return try homeless.map { row in
            let app: String = try row.stored("app")
            return StoreFault(place: "apps", row: app, problem: "is missing")
        }
    }

    /// Every target in the history, once: the index leads from one to the next, skipping all its revisions. UNION, so each row is visited
    /// only once: a damaged index can lead back to an earlier row, and the walk would never end.
    private static func knownTargets(_ db: SQLConnection) -> String {
        guard let number = db.rowNumber else {
            return """
                WITH RECURSIVE known(app, platform) AS (
                    (SELECT app, platform FROM change_targets ORDER BY app, platform, revision LIMIT 1)
                    UNION
                    SELECT next.app, next.platform FROM known AS here CROSS JOIN LATERAL (
                        SELECT app, platform FROM change_targets WHERE (app, platform) > (here.app, here.platform)
                        ORDER BY app, platform, revision LIMIT 1
                    ) AS next
                )
                SELECT app, platform FROM known
                """
        }
        // By row number, so the values come from the rows themselves and not from the index.
        return """
            WITH RECURSIVE first(row) AS (
                SELECT (SELECT \(number) FROM change_targets ORDER BY app, platform, revision LIMIT 1)
                UNION
                SELECT (
                    SELECT next.\(number) FROM change_targets AS next WHERE (next.app, next.platform) > (here.app, here.platform)
                    ORDER BY next.app, next.platform, next.revision LIMIT 1
                ) FROM first JOIN change_targets AS here ON here.\(number) = first.row
            )
            SELECT app, platform FROM first JOIN change_targets AS history ON history.\(number) = first.row
            """
    }

    private static func name(_ row: SQLRow) throws -> String {
        let app: String = try row.stored("app")
        return try "\(app)/" + row.stored("platform")
    }

    private static func difference(_ found: Reached, _ expected: Reached?) -> String {
        guard let expected, expected.settings != nil else { return "there is no such target" }
        if found.gate != expected.gate { return "the gate differs" }
        if found.settings != expected.settings { return "the settings differ" }
        return found.revision != expected.revision ? "the revision is \(expected.revision)" : "the sequence is \(expected.sequence)"
    }
}
