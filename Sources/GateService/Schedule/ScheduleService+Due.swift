package import GateJSON
import GateModel
import GateStore
import Synchronization

extension ScheduleService {
    /// How late a step may be and still keep people out, in seconds. Later it is missed and waits for a person: what was announced for nine
    /// o'clock surprises everybody at eleven (user interface 1.6). Letting people in is never too late.
    static let grace: Int64 = 600

    /// Does what is due, in the order in which it came due, one transaction each.
    ///
    /// - Returns: when there is something to do next, nil for never; a moment that is past when something could not be done and has to be
    ///   tried again, which the health then says.
    @discardableResult
    package func doWhatIsDue() -> Timestamp? {
        var failed: Set<Duty> = []
        var tries = 0
        while let (moment, duty) = nextDuty(except: failed) {
            guard moment <= changes.now(), tries < Self.mostAtOnce else {
                if failed.isEmpty { allDone() }
                return failed.isEmpty ? moment : changes.now()
            }
            tries += 1
            do throws(ServiceError) {
                try changes.writing.withLock { _ throws(ServiceError) in try perform(duty) }
                changes.failures.worked(.duty(duty))
            } catch {
                // One that cannot be done must not keep the others waiting.
                failed.insert(duty)
                // At the start it only waits for the history's check, which wakes it.
                guard error.code != .starting else { continue }
                changes.failures.failed(.duty(duty), error)
                trouble("schedule: \(duty) could not be done on time and is tried again: \(error.word)")
            }
        }
        guard failed.isEmpty else { return changes.now() }
        allDone()
        return nil
    }

    /// Nothing is left of what could not be done: it was done, or called off.
    private func allDone() {
        changes.failures.allWorked(by: Chore.scheduleName)
        trouble(nil)
    }

    /// Every duty that is done is one less; should that ever not be so, the server must not spin.
    private static let mostAtOnce = 10_000

    private func trouble(_ reason: String?) { changes.state.withLock { $0.troubles[.schedule] = reason } }

    private func nextDuty(except failed: Set<Duty>) -> (moment: Timestamp, duty: Duty)? {
        let (catalog, schedule) = changes.state.withLock { ($0.catalog, $0.schedule) }
        return Duty.next(catalog, schedule, except: failed)
    }

    /// The caller holds the lock. Looks again: what was due may have been done, called off or put off meanwhile.
    private func perform(_ duty: Duty) throws(ServiceError) {
        let (catalog, schedule) = changes.state.withLock { ($0.catalog, $0.schedule) }
        let planner = changes.planner(catalog)
        switch duty {
        case .lift(let key):
            guard let target = catalog.target(key), let until = target.gate.killSwitch?.until, until <= planner.now else { return }
            try lift(target, planner: planner, catalog: catalog, schedule: schedule)
        case .window(let id):
            guard let record = schedule.active[id], let due = record.window.due, due <= planner.now else { return }
            try advance(record, due: due, planner: planner, catalog: catalog, schedule: schedule)
        }
    }

    private func lift(_ target: Target, planner: Planner, catalog: Catalog, schedule: Schedule) throws(ServiceError) {
        let caller = Caller.system(.expiry, source: .expiry, requestId: "expiry-\(target.key.app)-\(target.key.platform)-\(target.revision)")
        let command = Command.lifting(target)
        let step = try planner.plan(command, terms: WriteTerms())
        _ = try changes.commit(
            step, command: command, reason: nil, caller: caller, idempotency: nil, catalog: catalog,
            windows: { sequence, at in
                let because = "The kill switch of \(target.key) lifted itself."
                return schedule.records(schedule.overtaken(by: step.targets, except: nil, by: .expiry, at: at, sequence: sequence, because: because))
            },
            answer: { _ in Answer(status: 200, body: []) }
        )
    }

    private func advance(_ record: WindowRecord, due: Timestamp, planner: Planner, catalog: Catalog, schedule: Schedule) throws(ServiceError) {
        let window = record.window
        let next = WindowStep(window, catalog: catalog, now: planner.now)
        let caller = Caller.system(.schedule, source: .schedule, requestId: "window-\(window.id)-\(next.isStart ? "start" : "end")")
        func giveUp(_ state: Window.State, _ what: Window.Event.What, _ why: String) throws(ServiceError) {
            let over = window.ended(as: state, what, by: caller.actor, at: planner.now, because: why)
            try save(schedule.records([over]), audit: [over.audit("window.\(what.rawValue)", by: caller, at: planner.now)], key: nil, of: caller, answer: nil)
        }
        if next.isStart, !next.left.isEmpty { return try giveUp(.failed, .failed, next.leftInWords) }
        if next.isStart, let end = window.end, end.at <= planner.now {
            return try giveUp(.missed, .missed, "The server could do nothing from its start to its end.")
        }
        let step: Step
        do throws(ServiceError) {
            step = try next.command.map { command throws(ServiceError) in try planner.plan(command, terms: WriteTerms(accept: window.accept)) } ?? Step(plan: .nothing, kind: .set)
        } catch {
            switch error.code {
            // The database's own trouble is no fault of the window: it is tried again.
            case .starting, .unavailable, .full, .internal, .tooMany: throw error
            default: return try giveUp(.failed, .failed, error.detail)
            }
        }
        let late = (planner.now.milliseconds - due.milliseconds) / 1_000
        if late > Self.grace, step.plan.tier >= .block {
            return try giveUp(.missed, .missed, "It came \(late / 60) minutes late, and would keep people out. Run it, or cancel it.")
        }
        try carryOut(
            next, step, record: record, reason: window.reasonInHistory, by: caller, idempotency: nil, catalog: catalog, schedule: schedule,
            answer: { _ in Answer(status: 200, body: []) }
        )
    }
}

extension Window {
    /// `Window 12 by ann: Sale`
    var reasonInHistory: String { "Window \(id) by \(actor.inWords)" + (reason.map { ": \($0)" } ?? "") }
}

extension Caller {
    fileprivate static func system(_ actor: Actor, source: Change.Source, requestId: String) -> Caller {
        Caller(actor: actor, role: .admin, scope: .all, source: source, requestId: requestId, address: "")
    }
}
