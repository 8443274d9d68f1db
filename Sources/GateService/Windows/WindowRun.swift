import GateModel
import GateStore

/// The next step of a window, because a person asks for it.
struct WindowRun: SubmittedWrite {
    let schedule: ScheduleService
    let id: Int
    let wanted: Window.Step?
    let revision: Int?
    let terms: WriteTerms
    let caller: Caller
    let idempotency: IdempotencyKey?
    let answer: (WindowOutcome) -> Answer
    private let effects = EffectMemory()

    func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> WindowStep.Planned {
        let record = try schedule.ownRecord(id, for: caller)
        let window = record.window
        if window.fault != nil { throw .unreadable(window) }
        for target in window.targets { try snapshot.catalog.requireReadable(target.key.app) }
        var planner = schedule.ledger.planner(snapshot.catalog)
        planner.limitEffects(isHeld: isHeld, memory: effects)
        try window.require(wanted)
        if let revision { try window.requireRevision(revision) }
        if !window.hasStarted, let end = window.end, end.at <= planner.now { throw .past(end.at, now: planner.now, at: "/end") }
        let next = WindowStep(window, catalog: snapshot.catalog, now: planner.now)
        // At an end, what a person changed meanwhile stays, as when the clock ends it.
        if !next.left.isEmpty, next.isStart { throw .stale(window, next) }
        var terms = terms
        terms.accept += window.accept
        var (rest, command, step) = try next.planned(by: planner, terms: terms, isWhole: true)
        effects.settle(&step.plan, isHeld: isHeld)
        if !rest.left.isEmpty {
            let detail = rest.leftInWords(after: step.targets, catalog: snapshot.catalog)
            step.plan = step.plan.adding([Warning(code: "window_left", detail: detail)])
        }
        step.plan = step.plan.fitting()
        let reason = try terms.cleanReason(for: step.plan, accepted: step.accepted, orAs: window)
        return try schedule.planned(
            rest,
            of: record,
            as: command,
            step,
            because: reason,
            by: caller,
            on: snapshot,
            isWritten: !terms.dryRun
        )
    }

    func holds(_ draft: WindowStep.Planned, from before: Snapshot, on now: Snapshot) -> Bool {
        now.agrees(with: before, about: draft.apps)
    }

    func carryOut(_ draft: WindowStep.Planned, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) -> Answer {
        try schedule.carryOut(draft, by: caller, idempotency: idempotency, on: snapshot, in: turn, answer: answer)
    }

    func told(_ draft: WindowStep.Planned, on snapshot: Snapshot) -> Answer {
        answer(WindowOutcome(window: draft.record.window.told(to: caller), change: nil, plan: draft.step.step.plan, isDryRun: true))
    }
}

extension Window {
    /// - Throws: `conflict` when the next step is not the one meant.
    fileprivate func require(_ wanted: Step?) throws(ServiceError) {
        guard state.isActive || state == .missed else { throw .over(self) }
        if state == .running, wanted == nil {
            throw ServiceError(.conflict, "window_over", "Window \(id) is already running. To end it now, say \"step\": \"end\".")
        }
        switch (wanted, hasStarted) {
        case (.start, true): throw ServiceError(.conflict, "window_running", "Window \(id) has started already.", field: "/step")
        case (.end, false):
            throw ServiceError(.conflict, "window_waits", "Window \(id) has not started; cancel it, or let it be.", field: "/step")
        default: return
        }
    }
}

extension ServiceError {
    fileprivate static func stale(_ window: Window, _ step: WindowStep) -> ServiceError {
        ServiceError(
            .revisionStale,
            "stale_window",
            "Window \(window.id) was made for a state that has changed since: \(step.leftInWords) Make it again."
        ).with(\.current, step.conflict)
    }
}
