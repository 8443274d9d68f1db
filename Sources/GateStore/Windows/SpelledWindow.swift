package import GateJSON
package import GateModel

/// A window as the text that is written of it, read back by the reader of the start.
///
/// Nearly all of the work of writing a window, and done before anybody has to wait for it: a step may alter a thousand of them. Any thread.
package struct SpelledWindow: Sendable {
    package let window: Window
    let document: String

    /// - Throws: ``StoreError/Code/internal`` when it would not be read back as it is.
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
                // Documents of rules that are alike but for the order of members are equal, and still not the same.
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

    /// The same window where its last event, which tells of a change, comes at another moment and with a change of another number: what is
    /// left of a step that somebody else came before. It is not read back once more while others wait, for those two are read back whatever
    /// they are.
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
