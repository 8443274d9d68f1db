package import GateModel
import GateStore

extension ScheduleService {
    /// Calls off a window: what has not happened yet will not. Calling it off again changes nothing.
    ///
    /// What a running window did stays for good then. In a protected environment that takes the reason and the phrase of the edit that
    /// takes its end away; elsewhere neither is asked for.
    /// - Parameter revision: the window's that the caller saw; nil calls it off whatever it says by now.
    /// - Throws: `notFound`; `conflict` for one that is over; `revisionStale` when somebody edited it since, or it has begun; `reason_required` and `confirmation_required`, with the plan.
    package func cancel(
        _ id: Int,
        revision: Int? = nil,
        terms: WriteTerms = WriteTerms(),
        by caller: Caller
    ) throws(ServiceError) -> Window {
        try ledger.planned { snapshot, _ throws(ServiceError) -> (record: WindowRecord, cancelled: Window?) in
            let record = try ownRecord(id, for: caller)
            try caller.requireFor(record.window)
            let window = record.window
            if window.fault != nil { throw .unreadable(window) }
            if window.state == .cancelled { return (record, nil) }
            guard window.state.isActive || window.state == .missed else { throw .over(window) }
            if let revision { try window.requireRevision(revision) }
            let note = try terms.cleanReason(for: try plan(callingOff: window, on: snapshot), accepted: [])
            return (record, window.ended(as: .cancelled, .cancelled, by: caller.actor, at: ledger.now(), because: note))
        } holds: { draft, before, now in
            now.agrees(with: before, about: Set(draft.record.window.targets.map(\.key.app)))
        } carryOut: { draft, _, turn throws(ServiceError) in
            guard let cancelled = draft.cancelled else { return draft.record.window.told(to: caller) }
            let entry = cancelled.audit("window.cancelled", by: caller, at: ledger.now())
            try ledger.commit([cancelled], read: draft.record, audit: [entry], by: caller, in: turn)
            return cancelled.told(to: caller)
        }
    }

    /// What calling it off means for people, where somebody has to confirm that.
    private func plan(callingOff window: Window, on snapshot: Snapshot) throws(ServiceError) -> Plan {
        guard ledger.environment.isProtected, window.state == .running, window.end != nil else { return .nothing }
        do throws(ServiceError) {
            let draft = try WindowDraft(
                targets: window.targets.map { ($0.key, nil) },
                set: window.set,
                start: window.start,
                end: nil,
                then: window.then
            )
            let planner = WindowPlanner(
                planner: ledger.planner(snapshot.catalog),
                schedule: snapshot.schedule.without(window.id),
                maker: window.actor
            )
            return try planner.plan(draft, for: window)
        } catch {
            // An end that the rules refuse by now would let nobody in, and must not keep the window from being called off.
            guard error.isRefusal else { throw error }
            return .nothing
        }
    }
}
