import GateJSON
import GateModel

/// Windows that cannot be read as they were written.
extension WindowRows {
    /// The window of a row, as far as it is readable; see ``Window/fault``.
    /// - Parameters:
    ///   - trust: whether the row is obeyed.
    ///   - texts: what texts are known to say.
    ///   - targets: ``targets(of:in:)``; asked for only when the row is unreadable.
    /// - Throws: the engine's own, and for a row without an identifier, version or state.
    static func told(
        _ row: SQLRow,
        _ trust: RowTrust,
        _ texts: WindowTexts? = nil,
        targets: (Int) throws -> [SQLRow]
    ) throws -> WindowRecord {
        try Salvage.read {
            try record(row, trust, texts)
        } or: { error in
            var remains = try remains(of: row, Salvage.fault(error, "document"), targets)
            remains.isSigned = try trust(.windows, row)
            return remains
        }
    }

    static func told(_ row: SQLRow, in db: SQLConnection, _ trust: RowTrust) throws -> WindowRecord {
        try told(row, trust) { try targets(of: $0, in: db) }
    }

    /// The targets of a window, which are also in a table of their own.
    static func targets(of id: Int, in db: SQLConnection) throws -> [SQLRow] {
        try db.rows(sql: "SELECT app, platform FROM window_targets WHERE window_id = ?", arguments: [id])
    }

    private static func remains(of row: SQLRow, _ fault: String, _ targets: (Int) throws -> [SQLRow]) throws -> WindowRecord {
        let id: Int = try row.stored("id")
        var salvage = Salvage()
        let document = salvage.take("document", or: [:]) {
            try JSONReader.read(row.stored("document") as String, limits: .own).object ?? [:]
        }
        func member<Value>(_ name: String, _ substitute: Value, _ read: (JSONValue) throws -> Value) -> Value {
            salvage.take(name, or: substitute) { if let json = document[name], !json.isNull { try read(json) } else { substitute } }
        }
        let due = salvage.take("due_at", or: nil) { try row.storedTimeIfAny("due_at") }
        let targets = try targets(id)
        let window = Window(
            id: id,
            state: try row.word("state", Window.State.init(rawValue:)),
            targets: member("targets", []) { json in try (json.array ?? []).map { try Window.Target(json: $0) } }.nonEmpty
                ?? targets.compactMap { row in
                    salvage.take("targets", or: nil) {
                        Window.Target(key: try ChangeRows.target(row), revision: 1, expected: GateEdit([:]))
                    }
                },
            set: member("set", GateEdit([:]), GateEdit.init(json:)),
            start: try member("start", ZonedTime?.none, time) ?? ZonedTime(at: due ?? .unreadable),
            end: member("end", nil, time),
            then: member("then", .open) { json in json.string.flatMap(Window.Ending.init(rawValue:)) ?? .open },
            actor: member("actor", .unreadable, Actor.init(json:)),
            source: member("source", .api) { json in json.string.flatMap(Change.Source.init(rawValue:)) ?? .api },
            reason: member("reason", nil, \.string),
            accept: member("accept", []) { json in (json.array ?? []).compactMap(\.string) },
            events: member("events", []) { json in try (json.array ?? []).map { try Window.Event(json: $0) } },
            fault: fault
        )
        return WindowRecord(window: window, version: try row.stored("version"))
    }

    /// The moment is worth showing even if the local time with it cannot be read.
    private static func time(_ json: JSONValue) throws -> ZonedTime? {
        do { return try ZonedTime(json: json) } catch {
            guard let at = json.object?["at"]?.string.flatMap(Timestamp.init(_:)) else { throw error }
            return try ZonedTime(at: at)
        }
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
