import GateJSON
import GateModel

/// Windows as rows, and back.
enum WindowRows {
    /// Writes a new window, or a new state of one.
    /// - Throws: ``StoreError/Code/conflict`` when the window is not in the state that the write expects, or the version is not a new one.
    static func write(_ record: WindowRecord, to db: SQLConnection) throws {
        let window = record.window
        let last = try db.value(Int.self, sql: "SELECT coalesce(max(version), 0) FROM windows") ?? 0
        guard record.version > last else {
            throw StoreError(.conflict, "Version \(record.version) of the windows is not a new one after \(last)")
        }
        let document = try record.document ?? SpelledWindow(window).document
        guard let previous = record.previous else {
            try db.cachedStatement(sql: "INSERT INTO windows (id, version, state, due_at, document) VALUES (?, ?, ?, ?, ?)")
                .execute(arguments: [window.id, record.version, window.state.rawValue, window.due?.milliseconds, document])
            try writeTargets(of: window, to: db)
            return try check(record, document, in: db)
        }
        try db.cachedStatement(sql: "UPDATE windows SET version = ?, state = ?, due_at = ?, document = ? WHERE id = ? AND version = ?")
            .execute(arguments: [record.version, window.state.rawValue, window.due?.milliseconds, document, window.id, previous])
        guard db.changesCount == 1 else { throw StoreError(.conflict, "Window \(window.id) is not at version \(previous)") }
        // A window's targets can only change by an edit before its start.
        if window.state == .pending, window.events.last?.what == .edited {
            try db.cachedStatement(sql: "DELETE FROM window_targets WHERE window_id = ?").execute(arguments: [window.id])
            try writeTargets(of: window, to: db)
        }
        try check(record, document, in: db)
    }

    /// Writes the rows by which an app's windows are found.
    private static func writeTargets(of window: Window, to db: SQLConnection) throws {
        let target = try db.cachedStatement(sql: "INSERT INTO window_targets (app, window_id, platform) VALUES (?, ?, ?)")
        for key in window.targets.map(\.key) { try target.execute(arguments: [key.app.text, window.id, key.platform.text]) }
    }

    /// Checks that the row has what was written. ``SpelledWindow`` has already checked that it can be read.
    private static func check(_ record: WindowRecord, _ document: String, in db: SQLConnection) throws {
        let window = record.window
        let row = try db.cachedStatement(sql: "SELECT version, state, due_at, document FROM windows WHERE id = ?").row(arguments: [
            window.id
        ])
        try ReadBack.check("Window \(window.id)", true) {
            guard let row else { return nil }
            let (version, text): (Int, String) = (try row.stored("version"), try row.stored("document"))
            return try version == record.version && window.state.rawValue == row.stored("state")
                && window.due == row.storedTimeIfAny("due_at") && text.utf8.elementsEqual(document.utf8)
        }
    }

    /// - Parameters:
    ///   - trust: whether the row is obeyed.
    ///   - texts: what texts are known to say; the record then has its text where that may be sent.
    static func record(_ row: SQLRow, _ trust: RowTrust, _ texts: WindowTexts? = nil) throws -> WindowRecord {
        let id: Int = try row.stored("id")
        let text: String = try row.stored("document")
        let known = try texts?.read(text, of: id)
        let window = try known?.window ?? Window(json: JSONReader.read(text, limits: .own))
        guard window.id == id, try window.state.rawValue == row.stored("state"), try window.due == row.storedTimeIfAny("due_at") else {
            throw StoreError(.corrupt, "windows row \(id) contradicts its document")
        }
        var record = WindowRecord(window: window, version: try row.stored("version"), isSigned: try trust(.windows, row))
        if known?.isAsWritten == true { record.document = text }
        return record
    }
}
