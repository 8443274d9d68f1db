package import GateModel
import GateStore

/// The only way for people to change anything that alters a feed: plan, commit, publish.
///
/// Thread-safe. The ``Ledger`` holds what is in force, and decides the order of writers.
package struct ChangeService: Sendable {
    package let ledger: Ledger

    package init(ledger: Ledger) { self.ledger = ledger }

    /// Plans a command and, unless it is a dry run, carries it out.
    ///
    /// - Parameters:
    ///   - idempotency: if it was used before with the same request, that answer is returned and nothing happens.
    ///   - answer: makes the answer that is stored under the key; called before the commit, because both are written together.
    /// - Returns: the answer, new or repeated.
    /// - Throws: ``ServiceError``; then nothing was written and no feed has changed.
    package func submit(
        _ command: Command,
        terms: WriteTerms,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: (Outcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(command)
        let effects = EffectMemory()
        func step(on snapshot: Snapshot, isHeld: Bool = false) throws(ServiceError) -> (step: Step, missed: [WindowRecord]) {
            var planner = ledger.planner(snapshot.catalog)
            planner.sees = caller.sees
            planner.limitEffects(isHeld: isHeld, memory: effects)
            var step = try planner.plan(command, terms: terms)
            let removed = Set(step.removedTargets)
            let missed = try ledger.missed(losing: removed, on: snapshot.schedule)
            try snapshot.schedule.requireFew(losing: removed, missed: missed.map(\.window))
            step = snapshot.schedule.warned(step, on: snapshot.catalog)
            effects.settle(&step.plan, isHeld: isHeld)
            step.plan = step.plan.fitting()
            return (step, missed)
        }
        func undone(_ step: Step, on snapshot: Snapshot) -> Answer {
            answer(
                Outcome(
                    change: nil,
                    plan: step.plan,
                    isDryRun: terms.dryRun,
                    app: command.app.flatMap { snapshot.catalog.apps[$0] },
                    plannedAt: snapshot.catalog.sequence
                )
            )
        }
        if terms.dryRun {
            let snapshot = ledger.newestSnapshot
            return undone(try step(on: snapshot).step, on: snapshot)
        }
        return try ledger.written(by: caller, under: idempotency) { () throws(ServiceError) in
            try ledger.planned { snapshot, isHeld throws(ServiceError) -> PlannedChange in
                let (step, missed) = try step(on: snapshot, isHeld: isHeld)
                guard !step.changesNothing else { return PlannedChange(prepared: try PreparedStep(step, sequence: 0, at: ledger.now())) }
                let reason = Self.reason(
                    try terms.cleanReason(for: step.plan, accepted: step.accepted, named: command.named),
                    telling: step.appsAlone
                )
                let prepared = try PreparedStep(step, sequence: snapshot.catalog.sequence + 1, at: ledger.now())
                let ready = ledger.ready(prepared, command: command, reason: reason, caller: caller, answer: answer)
                return PlannedChange(prepared: prepared, reason: reason, ready: ready, missed: missed)
            } holds: { draft, before, now in
                // Other things that a plan depends on, such as who owns an alias, matter only to rare commands: those are planned again.
                guard case .gates(let commands, _) = command else { return false }
                return now.agrees(with: before, about: Set(commands.map(\.target.app)))
            } carryOut: { draft, snapshot, turn throws(ServiceError) in
                try ledger.requireFirst(idempotency, by: caller)
                guard !draft.prepared.step.changesNothing else {
                    let result = undone(draft.prepared.step, on: snapshot)
                    try ledger.keep(result, under: idempotency, of: caller, in: turn)
                    return result
                }
                return try ledger.commit(
                    draft.prepared,
                    command: command,
                    reason: draft.reason,
                    caller: caller,
                    idempotency: idempotency,
                    in: turn,
                    windows: { sequence, at in
                        let lost = snapshot.schedule.losing(
                            Set(draft.prepared.step.removedTargets),
                            missed: draft.missed.map(\.window),
                            by: caller.actor,
                            at: at,
                            sequence: sequence
                        )
                        return snapshot.schedule.records(lost, read: draft.missed)
                    },
                    ready: draft.ready,
                    answer: answer
                )
            }
        }
    }

    /// What is prepared for a change before the lock is taken.
    private struct PlannedChange {
        let prepared: PreparedStep
        var reason: String?
        var ready: Ledger.Ready?
        /// Missed windows about targets that the change deletes.
        var missed: [WindowRecord] = []
    }

    /// The reason, with a note that more apps are touched than the change has room to name. It says how many and not which: whoever reads
    /// it may not be allowed to see them all. What became of each is in the app's own row in the history.
    private static func reason(_ reason: String?, telling apps: [AppKey]) -> String? {
        guard apps.count > 1 else { return reason }
        return [reason, "(and \(apps.count - 1) more \(apps.count == 2 ? "app" : "apps"))"].compactMap { $0 }.joined(separator: " ")
    }
}
