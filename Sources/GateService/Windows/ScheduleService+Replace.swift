import GateJSON
package import GateModel
import GateStore

extension ScheduleService {
    /// Replaces a window that waits or was missed, or gives a running one another end, in one transaction.
    ///
    /// A running window keeps its targets, rules and start; without an end it is over, and what it did stays.
    /// - Parameter revision: the window's revision that the caller saw.
    /// - Throws: as ``make(_:terms:by:idempotency:answer:)``; `revisionMissing`, `revisionStale`; `conflict` for a window that is over, for
    ///   another start of a running one, and after ``Window/mostEdits`` edits.
    package func replace(
        _ id: Int,
        revision: Int?,
        with draft: WindowDraft,
        terms: WriteTerms,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(draft.command)
        let effects = EffectMemory()
        func plan(on snapshot: Snapshot, isHeld: Bool = false) throws(ServiceError) -> Replacement {
            let record = try ownRecord(id, for: caller)
            try record.window.requireEditable(at: revision)
            var planner = ledger.planner(snapshot.catalog)
            planner.limitEffects(isHeld: isHeld, memory: effects)
            let windows = WindowPlanner(planner: planner, schedule: snapshot.schedule.without(id), maker: caller.actor)
            if record.window.state == .running {
                let plan = try windows.plan(draft, for: record.window)
                let reason = terms.dryRun ? terms.reason : try terms.cleanReason(for: plan, accepted: [])
                let window = record.window.ending(draft.end, draft.then, by: caller.actor, at: planner.now, because: reason)
                return Replacement(record: record, plan: plan, window: window)
            }
            var step = try windows.plan(draft, terms: terms)
            effects.settle(&step.plan, isHeld: isHeld)
            let reason = try reason(of: step, terms: terms, instead: record.window)
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
            return Replacement(record: record, plan: step.plan.fitting(Plan.mostBytes), window: window)
        }
        // Checked before an answer is repeated, because it names the window's targets.
        try caller.requireFor(try ownRecord(id, for: caller).window)
        if terms.dryRun {
            let planned = try plan(on: ledger.newestSnapshot)
            return answer(WindowOutcome(window: planned.window.told(to: caller), change: nil, plan: planned.plan, isDryRun: true))
        }
        let result = try ledger.written(by: caller, under: idempotency) { () throws(ServiceError) in
            try ledger.planned { snapshot, isHeld throws(ServiceError) in
                try plan(on: snapshot, isHeld: isHeld)
            } holds: { planned, before, now in
                now.agrees(with: before, about: planned.apps)
            } carryOut: { planned, _, turn throws(ServiceError) in
                try ledger.requireFirst(idempotency, by: caller)
                let result = answer(
                    WindowOutcome(window: planned.window.told(to: caller), change: nil, plan: planned.plan, isDryRun: false)
                )
                let entry = planned.window.audit("window.edited", by: caller, at: ledger.now())
                try ledger.commit(
                    [planned.window],
                    read: planned.record,
                    audit: [entry],
                    by: caller,
                    keeping: (idempotency, result),
                    in: turn
                )
                return result
            }
        }
        ledger.wake()
        return result
    }

    /// The reason of what comes in the place of a window that waits: its own for an edit that names none; a blank one takes it away.
    private func reason(of step: Step, terms: WriteTerms, instead window: Window) throws(ServiceError) -> String? {
        let isKept = terms.reason == nil
        // What was accepted before stands in its reason already.
        let accepted = step.accepted.filter { !isKept || !window.accept.contains($0) }
        let given = terms.dryRun ? terms.reason : try terms.cleanReason(for: step.plan, accepted: accepted)
        guard isKept, let reason = window.reason else { return given }
        return [reason, given].compactMap { $0 }.joined(separator: " ")
    }

    /// A planned replacement of a window.
    private struct Replacement {
        let record: WindowRecord
        let plan: Plan
        let window: Window

        /// The apps of its targets.
        var apps: Set<AppKey> { Set(window.targets.map(\.key.app)) }
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
