import GateModel
import GateStore

/// A change that a caller submitted: from the command to the transaction.
struct SubmittedChange: SubmittedWrite {
    let ledger: Ledger
    let command: Command
    let terms: WriteTerms
    let caller: Caller
    let idempotency: IdempotencyKey?
    let answer: (Outcome) -> Answer
    private let effects = EffectMemory()

    /// A plan, with everything for its commit that can be made before the lock is taken.
    struct Planned {
        let step: Step
        /// Missed windows about targets that the change deletes.
        let missed: [WindowRecord]
        /// Nil when there is nothing to write: for a dry run, and for what changes nothing.
        let commit: (prepared: PreparedStep, reason: String?, ready: Ledger.Ready)?
    }

    func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> Planned {
        let (step, missed) = try planned(on: snapshot, isHeld: isHeld)
        guard !step.changesNothing else {
            // Who is told that nothing changes leaves it at that.
            try ledger.requireCheckedHistory()
            return Planned(step: step, missed: missed, commit: nil)
        }
        let stated = try terms.cleanReason(for: step.plan, accepted: step.accepted, named: command.named)
        guard !terms.dryRun else { return Planned(step: step, missed: missed, commit: nil) }
        let reason = Self.reason(stated, telling: step.appsAlone)
        let prepared = try PreparedStep(step, sequence: snapshot.catalog.sequence + 1, at: ledger.now())
        let ready = ledger.ready(prepared, command: command, reason: reason, caller: caller, answer: answer)
        return Planned(step: step, missed: missed, commit: (prepared, reason, ready))
    }

    func holds(_ draft: Planned, from before: Snapshot, on now: Snapshot) -> Bool {
        // Other things that a plan depends on, such as who owns an alias, matter only to rare commands: those are planned again.
        guard case .gates(let commands, _) = command else { return false }
        return now.agrees(with: before, about: Set(commands.map(\.target.app)))
    }

    func carryOut(_ draft: Planned, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) -> Answer {
        guard let (prepared, reason, ready) = draft.commit else {
            let result = told(draft, on: snapshot)
            try ledger.keep(result, under: idempotency, of: caller, in: turn)
            return result
        }
        return try ledger.commit(
            prepared,
            command: command,
            reason: reason,
            caller: caller,
            idempotency: idempotency,
            in: turn,
            windows: { sequence, at in
                let removed = Set(prepared.step.removedTargets)
                let missed = draft.missed.map(\.window)
                let lost = snapshot.schedule.losing(removed, missed: missed, by: caller.actor, at: at, sequence: sequence)
                return snapshot.schedule.records(lost, read: draft.missed)
            },
            ready: ready,
            answer: answer
        )
    }

    func told(_ draft: Planned, on snapshot: Snapshot) -> Answer {
        answer(
            Outcome(
                change: nil,
                plan: draft.step.plan,
                isDryRun: terms.dryRun,
                app: command.app.flatMap { snapshot.catalog.apps[$0] },
                plannedAt: snapshot.catalog.sequence
            )
        )
    }

    private func planned(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> (step: Step, missed: [WindowRecord]) {
        var planner = ledger.planner(snapshot.catalog)
        planner.sees = caller.sees
        planner.limitEffects(isHeld: isHeld, memory: effects)
        var step = try planner.plan(command, terms: terms)
        let removed = Set(step.removedTargets)
        let missed = try ledger.missed(losing: removed, on: snapshot.schedule)
        try snapshot.schedule.requireFew(losing: removed, missed: missed.map(\.window))
        step = snapshot.schedule.warned(step, on: snapshot.catalog)
        step.plan = step.plan.adding(snapshot.schedule.refusals(after: step, by: planner))
        effects.settle(&step.plan, isHeld: isHeld)
        step.plan = step.plan.fitting()
        return (step, missed)
    }

    /// The reason, with a note that more apps are touched than the change has room to name. It says how many and not which: whoever reads
    /// it may not be allowed to see them all. What became of each is in the app's own row in the history.
    private static func reason(_ reason: String?, telling apps: [AppKey]) -> String? {
        guard apps.count > 1 else { return reason }
        return [reason, "(and \(apps.count - 1) more \(apps.count == 2 ? "app" : "apps"))"].compactMap { $0 }.joined(separator: " ")
    }
}
