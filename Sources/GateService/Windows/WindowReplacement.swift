import GateJSON
import GateModel
import GateStore

/// What comes in the place of a window that waits or was missed, or the other end of a running one.
struct WindowReplacement: SubmittedWrite {
    let schedule: ScheduleService
    let id: Int
    let revision: Int?
    let draft: WindowDraft
    let terms: WriteTerms
    let caller: Caller
    let idempotency: IdempotencyKey?
    let answer: (WindowOutcome) -> Answer
    private let effects = EffectMemory()

    struct Planned {
        let record: WindowRecord
        let plan: Plan
        let window: Window
    }

    func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> Planned {
        let record = try schedule.ownRecord(id, for: caller)
        try record.window.requireEditable(at: revision)
        var planner = schedule.ledger.planner(snapshot.catalog)
        planner.limitEffects(isHeld: isHeld, memory: effects)
        let windows = WindowPlanner(planner: planner, schedule: snapshot.schedule.without(id), maker: caller.actor)
        if record.window.state == .running {
            let plan = try windows.plan(draft, for: record.window)
            let reason = try terms.cleanReason(for: plan, accepted: [])
            let window = record.window.ending(draft.end, draft.then, by: caller.actor, at: planner.now, because: reason)
            return Planned(record: record, plan: plan, window: window)
        }
        var step = try windows.plan(draft, terms: terms)
        effects.settle(&step.plan, isHeld: isHeld)
        let reason = try reason(of: step, instead: record.window)
        var window = Window(
            draft,
            id: id,
            by: caller.actor,
            source: caller.source,
            reason: reason,
            accept: step.accepted,
            at: planner.now,
            catalog: snapshot.catalog
        )
        window.events = record.window.events + [record.window.edited(to: reason, by: caller.actor, at: planner.now)]
        return Planned(record: record, plan: step.plan.fitting(Plan.mostBytes), window: window)
    }

    func holds(_ draft: Planned, from before: Snapshot, on now: Snapshot) -> Bool {
        now.agrees(with: before, about: draft.window.apps)
    }

    func carryOut(_ draft: Planned, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) -> Answer {
        let ledger = schedule.ledger
        let result = answer(WindowOutcome(window: draft.window.told(to: caller), change: nil, plan: draft.plan, isDryRun: false))
        let entry = draft.window.audit("window.edited", by: caller, at: ledger.now())
        try ledger.commit([draft.window], read: draft.record, audit: [entry], by: caller, keeping: (idempotency, result), in: turn)
        return result
    }

    func told(_ draft: Planned, on snapshot: Snapshot) -> Answer {
        answer(WindowOutcome(window: draft.window.told(to: caller), change: nil, plan: draft.plan, isDryRun: true))
    }

    /// The reason of what comes in the place of a window that waits: its own for an edit that names none; a blank one takes it away.
    private func reason(of step: Step, instead window: Window) throws(ServiceError) -> String? {
        let isKept = terms.reason == nil
        // What was accepted before stands in its reason already.
        let accepted = step.accepted.filter { !isKept || !window.accept.contains($0) }
        let given = try terms.cleanReason(for: step.plan, accepted: accepted)
        guard isKept, let reason = window.reason else { return given }
        return [reason, given].compactMap { $0 }.joined(separator: " ")
    }
}

extension Window {
    /// How often a window may be edited; each edit is stored with it, and so is its reason.
    static let mostEdits = 20

    /// - Throws: `stale_revision` when it is not what the caller saw.
    func requireRevision(_ seen: Int) throws(ServiceError) {
        guard seen != revision else { return }
        let by = events.last.map { ", by \($0.actor.inWords)" } ?? ""
        throw ServiceError(
            .revisionStale,
            "stale_revision",
            "Window \(id) was changed meanwhile\(by): you saw revision \(seen), it has \(revision) now. Look at it again.",
            field: "/revision"
        )
    }

    /// How often it was edited.
    var edits: Int { events.count { $0.what == .edited } }

    /// - Throws: when there is nothing left to edit, or the caller has not seen what there is.
    fileprivate func requireEditable(at revision: Int?) throws(ServiceError) {
        if fault != nil { throw .unreadable(self) }
        guard state.isActive || state == .missed && !hasStarted else { throw .over(self) }
        guard let revision else {
            throw ServiceError(
                .revisionMissing,
                "revision_required",
                "Send the \"revision\" of window \(id) that you saw; it is \(self.revision) now.",
                field: "/revision"
            )
        }
        try requireRevision(revision)
        guard edits < Self.mostEdits else {
            throw ServiceError(
                .conflict,
                "too_many_edits",
                "Window \(id) was edited \(Self.mostEdits) times. Cancel it and make a new one."
            )
        }
    }

    /// The event recorded when this window is replaced; a reason that it no longer has is kept there.
    fileprivate func edited(to reason: String?, by actor: Actor, at: Timestamp) -> Event {
        let was = self.reason.flatMap { $0 == reason ? nil : " Its reason was: \($0)" } ?? ""
        return Event(
            at: at,
            what: .edited,
            actor: actor,
            detail: "It was \(start.inWords) \(end.map { "until \($0.inWords)" } ?? "without an end").\(was)"
        )
    }

    /// The running window with another end; over when there is none.
    fileprivate func ending(_ end: ZonedTime?, _ then: Ending, by actor: Actor, at: Timestamp, because reason: String?) -> Window {
        var window = self
        let was = self.end.map { ", not \($0.inWords)" } ?? ""
        let detail = end.map { "It ends \($0.inWords)\(was)." } ?? "It no longer ends by itself: what it did stays."
        window.end = end
        window.then = then
        if end == nil { window.state = .done }
        // The edit's reason goes here; the window's own reason stays its maker's.
        window.events.append(Event(at: at, what: .edited, actor: actor, detail: detail + (reason.map { " \($0)" } ?? "")))
        return window
    }
}
