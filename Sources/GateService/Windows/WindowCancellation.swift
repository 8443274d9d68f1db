import GateModel
import GateStore

/// A window that a caller calls off.
struct WindowCancellation: PlannedWrite {
    let schedule: ScheduleService
    let id: Int
    let revision: Int?
    let terms: WriteTerms
    let caller: Caller

    struct Planned {
        let record: WindowRecord
        /// Nil for one that was called off before.
        let cancelled: Window?
    }

    func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> Planned {
        let record = try schedule.ownRecord(id, for: caller)
        let window = record.window
        if window.fault != nil { throw .unreadable(window) }
        if window.state == .cancelled { return Planned(record: record, cancelled: nil) }
        guard window.state.isActive || window.state == .missed else { throw .over(window) }
        if let revision { try window.requireRevision(revision) }
        let note = try terms.cleanReason(for: try plan(callingOff: window, on: snapshot), accepted: [])
        let cancelled = window.ended(as: .cancelled, .cancelled, by: caller.actor, at: schedule.ledger.now(), because: note)
        return Planned(record: record, cancelled: cancelled)
    }

    func holds(_ draft: Planned, from before: Snapshot, on now: Snapshot) -> Bool {
        now.agrees(with: before, about: draft.record.window.apps)
    }

    func carryOut(_ draft: Planned, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) -> Window {
        guard let cancelled = draft.cancelled else { return draft.record.window.told(to: caller) }
        let ledger = schedule.ledger
        let entry = cancelled.audit("window.cancelled", by: caller, at: ledger.now())
        try ledger.commit([cancelled], read: draft.record, audit: [entry], by: caller, in: turn)
        return cancelled.told(to: caller)
    }

    /// What calling it off means for people, where somebody has to confirm that.
    private func plan(callingOff window: Window, on snapshot: Snapshot) throws(ServiceError) -> Plan {
        guard schedule.ledger.environment.isProtected, window.state == .running, window.end != nil else { return .nothing }
        do throws(ServiceError) {
            let draft = try WindowDraft(
                targets: window.targets.map { ($0.key, nil) },
                set: window.set,
                start: window.start,
                end: nil,
                then: window.then
            )
            let planner = WindowPlanner(
                planner: schedule.ledger.planner(snapshot.catalog),
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
