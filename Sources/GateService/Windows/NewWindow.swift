import GateModel

/// A window that a caller makes. No gate changes before it starts.
struct NewWindow: SubmittedWrite {
    let ledger: Ledger
    let draft: WindowDraft
    let terms: WriteTerms
    let caller: Caller
    let idempotency: IdempotencyKey?
    let answer: (WindowOutcome) -> Answer
    private let effects = EffectMemory()

    struct Planned {
        let plan: Plan
        /// Without its identifier.
        let window: Window
    }

    func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> Planned {
        var planner = ledger.planner(snapshot.catalog)
        planner.limitEffects(isHeld: isHeld, memory: effects)
        var step = try WindowPlanner(planner: planner, schedule: snapshot.schedule, maker: caller.actor).plan(draft, terms: terms)
        effects.settle(&step.plan, isHeld: isHeld)
        let reason = try terms.cleanReason(for: step.plan, accepted: step.accepted)
        let window = Window(
            draft,
            id: 0,
            by: caller.actor,
            source: caller.source,
            reason: reason,
            accept: step.accepted,
            at: planner.now,
            catalog: snapshot.catalog
        )
        return Planned(plan: step.plan.fitting(Plan.mostBytes), window: window)
    }

    func holds(_ draft: Planned, from before: Snapshot, on now: Snapshot) -> Bool {
        now.agrees(with: before, about: draft.window.apps)
    }

    func carryOut(_ draft: Planned, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) -> Answer {
        var made = draft.window
        made.id = snapshot.schedule.lastID + 1
        let result = answer(WindowOutcome(window: made, change: nil, plan: draft.plan, isDryRun: false))
        let entry = made.audit("window.created", by: caller, at: ledger.now())
        try ledger.commit([made], audit: [entry], by: caller, keeping: (idempotency, result), in: turn)
        return result
    }

    func told(_ draft: Planned, on snapshot: Snapshot) -> Answer {
        answer(WindowOutcome(window: draft.window, change: nil, plan: draft.plan, isDryRun: true))
    }
}
