package import GateJSON
import GateModel
import GateStore

extension ScheduleService {
    /// How many seconds late a step may still shut people out. After that it is missed and waits for a person: what was announced for nine
    /// o'clock would surprise everybody at eleven (user interface 1.6). Letting people in is never too late.
    static let grace: Int64 = 600

    /// Does what is due, in the order in which it came due, one transaction each.
    ///
    /// - Returns: when there is something to do next, nil for never; a moment in the past when something could not be done and must be
    ///   retried, which the health then reports.
    @discardableResult
    package func doWhatIsDue() -> Timestamp? {
        var failed: Set<Duty> = []
        var tries = 0
        while let (moment, duty) = nextDuty(except: failed) {
            guard moment <= ledger.now(), tries < Self.mostAtOnce else {
                if failed.isEmpty { allDone() }
                return failed.isEmpty ? moment : ledger.now()
            }
            tries += 1
            do throws(ServiceError) {
                try perform(duty)
                ledger.failures.worked(.duty(duty))
            } catch {
                // A duty that cannot be done must not hold up the others.
                failed.insert(duty)
                // At the start it is only waiting for the history check, which wakes this thread.
                guard error.code != .starting else { continue }
                ledger.failures.failed(.duty(duty), error)
                func late(_ what: String) -> String { "schedule: \(what) could not be done on time and is tried again: \(error.word)" }
                ledger.report(naming: .init(late("\(duty)"), nameless: late("something that was due")), on: .schedule)
            }
        }
        guard failed.isEmpty else { return ledger.now() }
        allDone()
        return nil
    }

    /// For when another server does what is due, and reports what it cannot do.
    /// - Returns: nil, for never.
    func standBy() -> Timestamp? {
        allDone()
        return nil
    }

    /// Nothing that failed is left: it was done, or called off.
    private func allDone() {
        ledger.failures.allWorked(by: Chore.scheduleName)
        ledger.report(nil, on: .schedule)
    }

    /// Every duty done is one less to do; if that ever fails to hold, the server must not spin.
    private static let mostAtOnce = 10_000

    private func nextDuty(except failed: Set<Duty>) -> (moment: Timestamp, duty: Duty)? {
        let snapshot = ledger.snapshot
        return Duty.next(snapshot.catalog, snapshot.schedule, except: failed)
    }

    /// The planned work for a duty.
    private enum Work {
        /// The duty was done, called off or put off meanwhile.
        case nothing
        case lift(TargetKey, Command, PreparedStep, [SpelledWindow])
        case giveUp(Window, Window.Event.What)
        case advance(WindowStep.Planned)
    }

    /// Does a duty, after looking again: it may have been done, called off or put off meanwhile.
    private func perform(_ duty: Duty) throws(ServiceError) {
        try ledger.planned { snapshot, _ throws(ServiceError) -> Work in
            var planner = ledger.planner(snapshot.catalog)
            // Nobody reads the plan of what the clock does.
            planner.tellsEffects = false
            switch duty {
            case .lift(let key):
                guard let target = snapshot.catalog.target(key), let until = target.gate.killSwitch?.until, until <= planner.now else {
                    return .nothing
                }
                let command = Command.lifting(target)
                let step = try prepared(try planner.plan(command, terms: WriteTerms()), on: snapshot)
                let windows = overtaken(by: step.step, lifting: key, on: snapshot, at: step.at, sequence: step.sequence)
                return .lift(key, command, step, try windows.spelled())
            case .window(let id):
                guard let record = snapshot.schedule.active[id], let due = record.window.due, due <= planner.now else { return .nothing }
                return try work(record, due: due, planner: planner, snapshot: snapshot)
            }
        } holds: { work, before, now in
            switch work {
            case .nothing: true
            case .lift(let key, _, _, _): now.agrees(with: before, about: [key.app])
            case .giveUp(let window, _): now.agrees(with: before, about: Set(window.targets.map(\.key.app)))
            case .advance(let planned): now.agrees(with: before, about: planned.apps)
            }
        } carryOut: { work, snapshot, turn throws(ServiceError) in
            switch work {
            case .nothing: return
            case .lift(let key, let command, let step, let windows): try lift(key, command, step, windows, on: snapshot, in: turn)
            case .giveUp(let window, let what):
                let caller = Caller.clock(window)
                let entry = window.audit("window.\(what.rawValue)", by: caller, at: ledger.now())
                try ledger.commit([window], audit: [entry], by: caller, in: turn)
            case .advance(let planned):
                let caller = Caller.clock(planned.record.window)
                try carryOut(planned, by: caller, idempotency: nil, on: snapshot, in: turn, answer: { _ in Answer(status: 200, body: []) })
            }
        }
    }

    private func prepared(_ step: Step, on snapshot: Snapshot) throws(ServiceError) -> PreparedStep {
        try PreparedStep(step, sequence: snapshot.catalog.sequence + 1, at: ledger.now())
    }

    private func overtaken(by step: Step, lifting key: TargetKey, on snapshot: Snapshot, at: Timestamp, sequence: Int) -> [Window] {
        let because = "The kill switch of \(key) lifted itself."
        return snapshot.schedule.overtaken(
            by: step.targets,
            except: nil,
            on: snapshot.catalog,
            by: .expiry,
            at: at,
            sequence: sequence,
            because: because
        )
    }

    private func lift(
        _ key: TargetKey,
        _ command: Command,
        _ step: PreparedStep,
        _ windows: [SpelledWindow],
        on snapshot: Snapshot,
        in turn: borrowing Turn
    ) throws(ServiceError) {
        let revision = snapshot.catalog.target(key)?.revision ?? 0
        let caller = Caller.system(.expiry, source: .expiry, requestId: "expiry-\(key.app)-\(key.platform)-\(revision)")
        _ = try ledger.commit(
            step,
            command: command,
            reason: nil,
            caller: caller,
            idempotency: nil,
            in: turn,
            windows: { sequence, at in
                let moved = sequence == step.sequence ? windows : windows.map { $0.moved(to: sequence, at: at) }
                return snapshot.schedule.records(moved)
            },
            answer: { _ in Answer(status: 200, body: []) }
        )
    }

    private func work(_ record: WindowRecord, due: Timestamp, planner: Planner, snapshot: Snapshot) throws(ServiceError) -> Work {
        let window = record.window
        // Not the window's fault: it waits until the app can be read again.
        for target in window.targets { try snapshot.catalog.requireReadable(target.key.app) }
        let next = WindowStep(window, catalog: snapshot.catalog, now: planner.now)
        func giveUp(_ state: Window.State, _ what: Window.Event.What, _ why: String) -> Work {
            .giveUp(window.ended(as: state, what, by: Caller.clock(window).actor, at: planner.now, because: why), what)
        }
        if next.isStart, !next.left.isEmpty { return giveUp(.failed, .failed, next.leftInWords) }
        if next.isStart, let end = window.end, end.at <= planner.now {
            return giveUp(.missed, .missed, "The server could do nothing from its start to its end.")
        }
        var work: (next: WindowStep, command: Command?, step: Step)
        do throws(ServiceError) { work = try next.planned(by: planner, terms: WriteTerms(accept: window.accept)) } catch {
            // Trouble with the database is not the window's fault: the step is tried again.
            guard error.isRefusal else { throw error }
            let shut = next.isStart ? nil : window.stillBlocked(among: Set(window.targets.map(\.key))) { snapshot.catalog.target($0)?.gate }
            return giveUp(.failed, .failed, [error.detail, shut].compactMap(\.self).joined(separator: " "))
        }
        let late = (planner.now.milliseconds - due.milliseconds) / 1_000
        if late > Self.grace {
            let shut = work.step.targets.filter { $0.locksOut(catalog: snapshot.catalog) }.map(\.target)
            let why = "It came \(late / 60) minutes late, and would keep people out of \(shut.inWords). Run it, or cancel it."
            // A start is for all of its targets or for none; at an end nobody stays shut out for the sake of others.
            let isAll = next.isStart || shut.count == work.step.targets.count
            if !shut.isEmpty, isAll { return giveUp(.missed, .missed, why) }
            if !shut.isEmpty {
                let rest = work.next.puttingOff(Set(shut), because: why)
                work = try rest.planned(by: planner, terms: WriteTerms(accept: window.accept))
            }
        }
        return .advance(
            try planned(
                work.next,
                of: record,
                as: work.command,
                work.step,
                because: window.reasonInHistory,
                by: .clock(window),
                on: snapshot
            )
        )
    }
}

extension ChangedTarget {
    /// Whether it keeps out people whom the target let in, or may soon let in again. Where everybody was kept out, a milder rule in that
    /// place locks out nobody.
    fileprivate func locksOut(catalog: Catalog) -> Bool {
        let scheme = catalog.target(target)?.settings.versionScheme ?? .dotted
        guard let rule = DangerTier.rule(shuttingOut: before, after, scheme: scheme) else { return false }
        return rule == .killSwitch || before.state != .blocked || before.opening != nil
    }
}

extension Window {
    /// `Window 12 by ann: Sale`
    var reasonInHistory: String { "Window \(id) by \(actor.inWords)" + (reason.map { ": \($0)" } ?? "") }
}

extension Caller {
    /// The clock, at the next step of a window.
    fileprivate static func clock(_ window: Window) -> Caller {
        // Giving up a window does not start it.
        system(.schedule, source: .schedule, requestId: "window-\(window.id)-\(window.hasStarted ? "end" : "start")")
    }

    fileprivate static func system(_ actor: Actor, source: Change.Source, requestId: String) -> Caller {
        Caller(actor: actor, role: .admin, scope: .all, source: source, requestId: requestId, address: "")
    }
}
