import GateJSON
import GateModel
import GateStore

/// What the clock does for a duty, after looking again: it may have been done, called off or put off meanwhile.
struct DutyWork: PlannedWrite {
    let schedule: ScheduleService
    let duty: Duty

    /// How many seconds late a step may still shut people out. After that it is missed and waits for a person: what was announced for nine
    /// o'clock would surprise everybody at eleven (user interface 1.6). Letting people in is never too late.
    private static let grace: Int64 = 600

    enum Planned {
        /// The duty was done, called off or put off meanwhile.
        case nothing
        case lift(TargetKey, Command, PreparedStep, [SpelledWindow])
        case giveUp(Window, Window.Event.What)
        case advance(WindowStep.Planned)
    }

    func plan(on snapshot: Snapshot, isHeld: Bool) throws(ServiceError) -> Planned {
        var planner = schedule.ledger.planner(snapshot.catalog)
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
    }

    func holds(_ draft: Planned, from before: Snapshot, on now: Snapshot) -> Bool {
        switch draft {
        case .nothing: true
        case .lift(let key, _, _, _): now.agrees(with: before, about: [key.app])
        case .giveUp(let window, _): now.agrees(with: before, about: window.apps)
        case .advance(let planned): now.agrees(with: before, about: planned.apps)
        }
    }

    func carryOut(_ draft: Planned, on snapshot: Snapshot, in turn: borrowing Turn) throws(ServiceError) {
        switch draft {
        case .nothing: return
        case .lift(let key, let command, let step, let windows): try lift(key, command, step, windows, on: snapshot, in: turn)
        case .giveUp(let window, let what):
            let caller = Caller.clock(window)
            let entry = window.audit("window.\(what.rawValue)", by: caller, at: schedule.ledger.now())
            try schedule.ledger.commit([window], audit: [entry], by: caller, in: turn)
        case .advance(let planned):
            let caller = Caller.clock(planned.record.window)
            try schedule.carryOut(planned, by: caller, idempotency: nil, on: snapshot, in: turn) { _ in Answer(status: 200, body: []) }
        }
    }

    private func prepared(_ step: Step, on snapshot: Snapshot) throws(ServiceError) -> PreparedStep {
        try PreparedStep(step, sequence: snapshot.catalog.sequence + 1, at: schedule.ledger.now())
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
        _ = try schedule.ledger.commit(
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

    private func work(_ record: WindowRecord, due: Timestamp, planner: Planner, snapshot: Snapshot) throws(ServiceError) -> Planned {
        let window = record.window
        // Not the window's fault: it waits until the app can be read again.
        for target in window.targets { try snapshot.catalog.requireReadable(target.key.app) }
        let next = WindowStep(window, catalog: snapshot.catalog, now: planner.now)
        func giveUp(_ state: Window.State, _ what: Window.Event.What, _ why: String) -> Planned {
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
            try schedule.planned(
                work.next,
                of: record,
                as: work.command,
                work.step,
                because: window.reasonInHistory(accepting: work.next.overridden.codes),
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
    /// - Parameter codes: of refusals that nobody had overridden when it was made.
    func reasonInHistory(accepting codes: [String] = []) -> String {
        let told = codes.isEmpty ? "" : " (accepted: \(codes.joined(separator: ", ")))"
        return "Window \(id) by \(actor.inWords)" + (reason.map { ": \($0)" } ?? "") + told
    }
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
