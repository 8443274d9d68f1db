import GateJSON
import GateModel
import GateStore

extension ScheduleService {
    /// A step with everything that its commit needs, including the windows it alters, of which there may be a thousand.
    /// - Parameter isWritten: false for a dry run.
    func planned(
        _ next: WindowStep,
        of record: WindowRecord,
        as command: Command?,
        _ step: Step,
        because reason: String?,
        by caller: Caller,
        on snapshot: Snapshot,
        isWritten: Bool = true
    ) throws(ServiceError) -> WindowStep.Planned {
        let prepared = try PreparedStep(step, sequence: snapshot.catalog.sequence + 1, at: ledger.now())
        var windows: [SpelledWindow] = []
        if isWritten, command != nil, !step.changesNothing {
            let (targets, sequence) = (prepared.step.targets, prepared.sequence)
            windows = try next.windows(after: targets, on: snapshot, by: caller.actor, at: prepared.at, sequence: sequence).spelled()
        }
        return WindowStep.Planned(record: record, next: next, command: command, step: prepared, reason: reason, windows: windows)
    }

    /// Commits a step, together with the changes to its window and to those it overtakes.
    @discardableResult
    func carryOut(
        _ planned: WindowStep.Planned,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        on snapshot: Snapshot,
        in turn: borrowing Turn,
        answer: (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        let (record, next, step) = (planned.record, planned.next, planned.step.step)
        let (catalog, schedule) = (snapshot.catalog, snapshot.schedule)
        guard let command = planned.command, !step.changesNothing else {
            let windows = next.windows(after: [], on: snapshot, by: caller.actor, at: ledger.now(), sequence: nil)
            let result = answer(WindowOutcome(window: windows[0].told(to: caller), change: nil, plan: step.plan, isDryRun: false))
            let entries = windows[0].troubleAudit(by: caller, at: ledger.now())
            try ledger.commit(windows, read: record, audit: entries, by: caller, keeping: (idempotency, result), in: turn)
            return result
        }
        var after = record.window
        return try ledger.commit(
            planned.step,
            command: command,
            reason: planned.reason,
            caller: caller,
            idempotency: idempotency,
            in: turn,
            windows: { sequence, at throws(ServiceError) in
                var windows = planned.windows
                if sequence != planned.step.sequence {
                    let own = next.done(step.targets, catalog: catalog, by: caller.actor, at: at, sequence: sequence)
                    windows = try [own].spelled() + windows.dropFirst().map { $0.moved(to: sequence, at: at) }
                }
                after = windows[0].window
                return schedule.records(windows, read: record)
            },
            audit: { after.troubleAudit(by: caller, at: ledger.now()) },
            answer: { outcome in
                answer(
                    WindowOutcome(
                        window: after.told(to: caller),
                        change: outcome.change,
                        bytes: outcome.bytes,
                        plan: outcome.plan,
                        isDryRun: false
                    )
                )
            }
        )
    }
}

extension Window {
    /// What the audit tells of a step that failed, if only in part, or was missed; nothing for any other.
    fileprivate func troubleAudit(by caller: Caller, at: Timestamp) -> [AuditEntry] {
        guard let what = events.last?.what, [.failed, .missed].contains(what) else { return [] }
        return [audit("window.\(what.rawValue)", by: caller, at: at)]
    }
}
