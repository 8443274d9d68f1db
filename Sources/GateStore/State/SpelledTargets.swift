import GateJSON
package import GateModel

/// A change's targets in written form, for the history and for the current values, each read back with the code that reads them at the
/// start.
///
/// This is most of the work of writing a change, done before anybody has to wait for it. Any thread.
package struct SpelledTargets: Sendable {
    struct State: Sendable {
        let settings: String
        let gate: String
        /// The arguments of the row's UPDATE, or of its INSERT if the target is new.
        let arguments: SQLArguments

        fileprivate init(_ target: Target, previous: Int) {
            settings = target.settings.json.text
            gate = target.gate.json.text
            let values: [SQLValue] = [
                .text(settings), .text(gate), target.revision.sqlValue, target.sequence.sqlValue, .integer(target.since.milliseconds),
                .integer(target.changedAt.milliseconds), .text(target.key.app.text), .text(target.key.platform.text),
            ]
            var arguments = SQLArguments(previous == 0 ? values : values + [previous.sqlValue])
            arguments.prepare()
            self.arguments = arguments
        }
    }

    let sequence: Int
    /// In the order of the change's targets.
    let rows: [ReadyHistoryRow]
    /// The targets that are not deleted.
    let states: [TargetKey: State]
    /// Their link in the chain, if it was made too.
    private(set) var link: ReadyLink?

    /// - Parameters:
    ///   - changed: the targets of a change.
    ///   - apps: the new values of the apps, with those targets in them.
    ///   - sequence: the change's.
    /// - Throws: ``StoreError/Code/internal`` when something would not be read back as it was written.
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
            for changed in changed {
                let key = changed.target
                guard let target = byKey[key.app]?.platforms[key.platform] else { continue }
                let state = State(target, previous: changed.previous)
                try ReadBack.check("\(key)", target) { try TargetRows.target(state.row(of: target), &documents) }
                states[key] = state
            }
            (self.sequence, self.rows, self.states) = (sequence, try rows.map { try $0.ready() }, states)
        } catch { throw StoreError(error, doing: "Writing a change") }
    }

    /// The same with the hash that the change has if no other change comes first: for a thousand targets, the hash alone takes as long as
    /// the rest of the commit.
    package func linked(to change: Change, after head: ChainHead) -> SpelledTargets {
        var linked = self
        linked.link = ReadyLink(change, rows: rows, after: head)
        return linked
    }
}

extension SpelledTargets.State {
    /// The row of `targets` as it will be read.
    fileprivate func row(of target: Target) -> SQLRow {
        SQLRow(
            columns: ["app", "platform", "settings", "gate", "revision", "sequence", "since", "changed_at"],
            values: [
                .text(target.key.app.text), .text(target.key.platform.text), .text(settings), .text(gate), target.revision.sqlValue,
                target.sequence.sqlValue, .integer(target.since.milliseconds), .integer(target.changedAt.milliseconds),
            ]
        )
    }
}

extension HistoryRow {
    /// As the row will be read.
    fileprivate var asRead: SQLRow { SQLRow(columns: table.columns, values: values) }
}
