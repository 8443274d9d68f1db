import GateJSON
package import GateModel

extension Store {
    /// Writes windows without a change of a gate; a change brings its windows in its ``Commit``. All or nothing, with the audit.
    /// - Parameter sequence: the last change that they are based on; nil where nobody else makes changes.
    /// - Throws: ``StoreError/Code/conflict`` when one of them is not in the state that the write expects, or there are newer changes;
    ///   ``StoreError/Code/duplicate`` when the Idempotency-Key was used meanwhile; ``StoreError/Code/ended``.
    package func save(
        _ windows: [WindowRecord],
        audit: [AuditEntry],
        idempotency: IdempotencyRecord? = nil,
        by authority: Authority = .server,
        after sequence: Int? = nil
    ) throws(StoreError) {
        let now = configuration.now()
        try write("Writing a window", by: authority) { db in
            if let sequence, case let last = try ChainStore.head(of: .changes, in: db).sequence, last != sequence {
                throw StoreError(.conflict, "The last change is \(last), and not \(sequence)")
            }
            for record in windows { try WindowRows.write(record, to: db) }
            for entry in audit { try AuditRows.append(entry, to: db) }
            if let idempotency { try IdempotencyRows.insert(idempotency, now: now, quota: configuration.idempotency, into: db) }
            try tellOthers(in: db)
        }
    }

    /// The windows that the clock has to act on.
    package func loadSchedule() throws(StoreError) -> StoredSchedule {
        let trust = scheduleTrust
        let now = configuration.now()
        return try read("Reading the windows") { db in try Self.schedule(in: db, trust, at: now) }
    }

    /// Decides which windows are obeyed. Get it before reading them.
    var scheduleTrust: RowTrust {
        // Without its key the server still starts, and shows the windows.
        let judge = try? signatures.judge()
        return { table, row in try judge?.isRight(table, row) ?? false }
    }

    /// - Parameter version: the last write of a window that is known already. Windows that failed before it are not read again.
    static func schedule(in db: SQLConnection, _ trust: RowTrust, at now: Timestamp, failedAfter version: Int = 0) throws
        -> StoredSchedule
    {
        let rows = try db.rows(sql: "SELECT * FROM windows WHERE state IN ('pending', 'running') ORDER BY id")
        let last = try db.row(sql: "SELECT coalesce(max(id), 0) AS id, coalesce(max(version), 0) AS version FROM windows")
        let windows = try rows.map { try WindowRows.told($0, in: db, trust) }
        return StoredSchedule(
            active: windows.filter { $0.window.fault == nil && $0.isSigned },
            unreadable: windows.compactMap { record in record.window.fault.map { .unreadable("windows", row: String(record.window.id), $0) }
            },
            missed: try missed(in: db),
            failed: try failed(in: db, trust, after: version, since: now.advanced(bySeconds: -StoredSchedule.failedSeconds)),
            lastID: try last?.stored("id") ?? 0,
            lastVersion: try last?.stored("version") ?? 0
        )
    }

    private static func missed(in db: SQLConnection) throws -> [Int: Set<AppKey>] {
        let rows = try db.rows(
            sql: "SELECT id, app FROM windows LEFT JOIN window_targets ON window_id = id WHERE state = 'missed' GROUP BY id, app"
        )
        return try rows.reduce(into: [:]) { missed, row in
            let app = (try row.storedIfAny("app") as String?).flatMap(AppKey.init(_:))
            missed[try row.stored("id"), default: []].formUnion(app.map { [$0] } ?? [])
        }
    }

    /// The windows that failed after a write and since a moment, newest first, as many as are worth keeping in mind. One that cannot be
    /// read, or that the server did not write, is left out.
    private static func failed(in db: SQLConnection, _ trust: RowTrust, after version: Int, since: Timestamp) throws -> [Window] {
        // A failed window is written no more. Sorted without the documents, of which most are not wanted.
        let ids = try db.rows(
            sql: "SELECT id FROM windows WHERE state = 'failed' AND version > ? ORDER BY version DESC LIMIT ?",
            arguments: [version, StoredSchedule.mostFailed]
        )
        var room = mostFailedBytes
        var found: [Window] = []
        for id in try ids.map({ try $0.stored("id") as Int }) {
            guard let row = try db.cachedStatement(sql: "SELECT * FROM windows WHERE id = ?").row(arguments: [id]) else { continue }
            room -= (try row.stored("document") as String).utf8.count
            guard room >= 0 else { break }
            let record = try WindowRows.told(row, in: db, trust)
            guard record.window.fault == nil, record.isSigned, let at = record.window.failedAt else { continue }
            guard at >= since else { break }
            found.append(record.window)
        }
        return found
    }

    private static let mostFailedBytes = 4_194_304

    /// The window with that identifier, or nil.
    package func window(id: Int) throws(StoreError) -> WindowRecord? {
        let judge = try signatures.judge()
        return try read("Reading a window") { db in
            try db.cachedStatement(sql: "SELECT * FROM windows WHERE id = ?").row(arguments: [id]).map {
                try WindowRows.told($0, in: db, judge.isRight)
            }
        }
    }

    /// The windows that `query` asks for, newest first.
    /// - Precondition: the limit is positive.
    package func windows(_ query: WindowQuery = WindowQuery()) throws(StoreError) -> [WindowRecord] {
        try windows(query, bytes: .max).records.map(\.written)
    }

    /// The windows that `query` asks for and that are about an app of `scope`, newest first, as many as fit into `bytes`; the first one
    /// comes however large it is.
    /// - Precondition: the limit is positive.
    package func windows(_ query: WindowQuery, bytes: Int, of scope: AppScope = .all) throws(StoreError) -> (
        records: [WindowRecord], isCut: Bool
    ) {
        precondition(query.limit > 0, "A page of windows has at least one.")
        let judge = try signatures.judge()
        let doing = "Reading the windows"
        let (rows, isCut) = try read(doing) { db throws -> ([SQLRow], Bool) in
            var conditions = ["id < ?"]
            var arguments: SQLArguments = [query.before ?? Int.max]
            if let states = query.states {
                // PostgreSQL does not accept an empty list.
                conditions.append(states.isEmpty ? "1 = 0" : "state IN (\(states.map { _ in "?" }.joined(separator: ", ")))")
                arguments += SQLArguments(states.map(\.rawValue))
            }
            if let app = query.app {
                conditions.append("id IN (SELECT window_id FROM window_targets WHERE app = ?)")
                arguments += [app.text]
            }
            if case .only(let apps) = scope {
                let places = apps.map { _ in "?" }.joined(separator: ", ")
                conditions.append(apps.isEmpty ? "1 = 0" : "id IN (SELECT window_id FROM window_targets WHERE app IN (\(places)))")
                arguments += SQLArguments(apps.sorted().map(\.text))
            }
            arguments += [query.limit]
            let sql = "SELECT * FROM windows WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?"
            var room = bytes
            var found: [SQLRow] = []
            let rows = try db.cursor(sql: sql, arguments: arguments)
            while let row = try rows.next() {
                room -= (try row.stored("document") as String).utf8.count
                guard room >= 0 || found.isEmpty else { return (found, true) }
                found.append(row.kept)
            }
            return (found, false)
        }
        let records = try decode(doing) {
            try rows.map { row in
                try WindowRows.told(row, judge.isRight, windowTexts) { id in
                    try read(doing) { db in try WindowRows.targets(of: id, in: db) }
                }
            }
        }
        return (records, isCut)
    }
}
