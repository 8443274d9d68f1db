package import GateJSON
package import GateModel

/// A window in written form, read back with the code that reads it at the start.
///
/// This is nearly all of the work of writing a window, done before anybody has to wait for it: one step may alter a thousand of them. Any
/// thread.
package struct SpelledWindow: Sendable {
    package let window: Window
    let document: String

    /// - Throws: ``StoreError/Code/internal`` when it would not be read back as it was written.
    package init(_ window: Window) throws(StoreError) {
        let document = window.json.text
        do {
            try ReadBack.check("Window \(window.id)", WindowRecord(window: window, version: 1)) {
                let row = SQLRow(
                    columns: ["id", "version", "state", "due_at", "document"],
                    values: [
                        window.id.sqlValue, 1.sqlValue, .text(window.state.rawValue), window.due.map { .integer($0.milliseconds) } ?? .null,
                        .text(document),
                    ]
                )
                let found = try WindowRows.record(row, PeopleRows.justWritten)
                // Rule documents that differ only in the order of members are equal, yet not identical.
                return found.window.json.text.utf8.elementsEqual(document.utf8) ? found : nil
            }
        } catch { throw StoreError(error, doing: "Writing a window") }
        self.window = window
        self.document = document
    }

    private init(_ window: Window, document: String) {
        self.window = window
        self.document = document
    }

    /// The same window with another time and change number in its last event, which is about a change: for a step that was overtaken by
    /// another change. It is not read back again while others wait, since any two such values can be read back.
    package func moved(to sequence: Int, at: Timestamp) -> SpelledWindow {
        var window = window
        guard let last = window.events.popLast() else { return self }
        let event = Window.Event(
            at: at,
            what: last.what,
            actor: last.actor,
            detail: last.detail,
            sequence: sequence,
            times: last.times
        )
        window.events.append(event)
        return SpelledWindow(window, document: window.json.text)
    }
}
