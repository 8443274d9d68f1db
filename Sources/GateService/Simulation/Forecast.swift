import GateJSON
import GateModel
import GateStore

/// The gates as they will be when the clock has done what is due and no person has done anything: windows and expiries played through on
/// copies, by the same steps that will be taken then.
struct Forecast {
    private(set) var catalog: Catalog
    private var schedule: Schedule
    private let environment: Environment

    init(_ catalog: Catalog, _ schedule: Schedule, environment: Environment) {
        self.catalog = catalog
        self.schedule = schedule
        self.environment = environment
    }

    /// Puts a gate in the place of a target's, as a person would with a change.
    mutating func put(_ gate: Gate, on target: Target) {
        guard gate != target.gate, let app = catalog.apps[target.key.app] else { return }
        let changed = ChangedTarget(
            target: target.key,
            previous: target.revision,
            revision: target.revision + 1,
            before: target.gate,
            after: gate
        )
        var after = app
        after.platforms[target.key.platform] = target.becoming(gate, target.settings, changed.revision)
        var step = Step(plan: .nothing, kind: .set, apps: [after])
        step.add(changed)
        catalog.apply(step, sequence: catalog.sequence + 1)
    }

    /// Does everything that is due until a moment, that moment included.
    mutating func advance(to moment: Timestamp) {
        var failed: Set<Duty> = []
        while let (due, duty) = Duty.next(catalog, schedule, except: failed), due <= moment {
            // What cannot be done then is not done; nobody is there to try it again.
            if !perform(duty, at: due) { failed.insert(duty) }
        }
    }

    /// - Returns: whether it is off the list.
    private mutating func perform(_ duty: Duty, at due: Timestamp) -> Bool {
        switch duty {
        case .lift(let key):
            guard let target = catalog.target(key), let step = plan(.lifting(target), at: due) else { return false }
            commit(step, of: nil, by: .expiry, at: due)
        case .window(let id):
            guard let window = schedule.active[id]?.window else { return false }
            let next = WindowStep(window, catalog: catalog, now: due)
            if next.isStart, !next.left.isEmpty {
                schedule.apply(schedule.records([window.ended(as: .failed, .failed, by: .schedule, at: due, because: next.leftInWords)]))
            } else if next.edits.isEmpty {
                commit(Step(plan: .nothing, kind: .set), of: next, by: .schedule, at: due)
            } else {
                // What cannot be read cannot be carried out then either.
                guard let command = try? next.command(), let step = plan(command, at: due, accept: window.accept) else { return false }
                commit(step, of: next, by: .schedule, at: due)
            }
        }
        return true
    }

    /// Nil for what the rules will refuse.
    private func plan(_ command: Command, at due: Timestamp, accept: [String] = []) -> Step? {
        var planner = Planner(catalog: catalog, environment: environment, wideShare: 1, now: due) { _, _ in nil }
        planner.tellsEffects = false
        return try? planner.plan(command, terms: WriteTerms(accept: accept))  // why it is refused is for the moment when it is
    }

    private mutating func commit(_ step: Step, of next: WindowStep?, by actor: Actor, at due: Timestamp) {
        let sequence = catalog.sequence + 1
        var windows = schedule.overtaken(by: step.targets, except: next?.window.id, by: actor, at: due, sequence: sequence, because: "")
        if let next { windows.insert(next.done(step.targets, catalog: catalog, by: actor, at: due, sequence: sequence), at: 0) }
        catalog.apply(step.dated(due, sequence: sequence), sequence: sequence)
        schedule.apply(schedule.records(windows))
    }
}
