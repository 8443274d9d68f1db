import GRDB
import GateJSON
package import GateModel

/// A change's targets as the texts that are written of them, in the history and as they stand, each read back by the readers of the start.
///
/// Most of the work of writing a change, and done before anybody has to wait for it. Any thread.
package struct SpelledTargets: Sendable {
    struct State: Sendable {
        let settings: String
        let gate: String
    }

    let sequence: Int
    /// In the order of the change's targets.
    let rows: [ReadyHistoryRow]
    /// Those that stay.
    let states: [TargetKey: State]

    /// - Parameters:
    ///   - changed: the targets of a change.
    ///   - apps: the apps as they become, with those targets in them.
    ///   - sequence: the change's.
    /// - Throws: ``StoreError/Code/internal`` when something would not be read back as it is.
    package init(_ changed: [ChangedTarget], of apps: [App], sequence: Int) throws(StoreError) {
        do {
            var documents = DocumentReader(isExact: true)
            let rows = ChangeRows.rows(of: changed, sequence: sequence)
            for (changed, row) in zip(changed, rows) {
                try ReadBack.check("\(changed.target) in change \(sequence)", changed) {
                    let found = ChangeRows.changedTarget(row.asRead, changed.target, &documents)
                    try ReadBack.checkWhole(found.fault)
                    return found
                }
            }
            let byKey = Dictionary(apps.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            var states: [TargetKey: State] = [:]
            for key in changed.lazy.map(\.target) {
                guard let target = byKey[key.app]?.platforms[key.platform] else { continue }
                let state = State(settings: target.settings.json.text, gate: target.gate.json.text)
                try ReadBack.check("\(key)", target) { try TargetRows.target(state.row(of: target), &documents) }
                states[key] = state
            }
            (self.sequence, self.rows, self.states) = (sequence, try rows.map { try $0.ready() }, states)
        } catch { throw StoreError(error, doing: "Writing a change") }
    }
}

extension SpelledTargets.State {
    /// As the row of `targets` will be read.
    fileprivate func row(of target: Target) -> Row {
        [
            "app": target.key.app.text, "platform": target.key.platform.text, "settings": settings, "gate": gate, "revision": target.revision,
            "sequence": target.sequence, "since": target.since.milliseconds, "changed_at": target.changedAt.milliseconds,
        ]
    }
}

extension HistoryRow {
    /// As the row will be read.
    fileprivate var asRead: Row { Row(Dictionary(uniqueKeysWithValues: zip(table.columns, values))) }
}
