import GateJSON
import GateModel
import GateStore

/// An app's gates as they will be if the clock does what comes due and no person does anything: windows and expiries are played through on
/// copies, by the same steps that will be taken then.
///
/// Only what can matter to the app is played, and no window is changed before its turn, so the cost grows with the number of steps.
struct Forecast {
    /// How many targets the steps up to a moment may alter, each counted once per step that alters it.
    var room = 4_000
    private(set) var catalog: Catalog
    private let schedule: Schedule
    private let app: AppKey
    private let environment: Environment
    private var waiting: [Int: Window] = [:]
    private var running: [Int: Window] = [:]
    /// Kill switches that lift themselves, with their times.
    private var lifts: [TargetKey: Timestamp] = [:]
    /// Every value that altered rules ever had; a set, because each of a thousand windows looks its own up among the values of all others.
    private var altered: [TargetKey: [Rule: Set<JSONValue?>]] = [:]

    init(_ catalog: Catalog, _ schedule: Schedule, of app: AppKey, environment: Environment) {
        self.catalog = catalog
        self.schedule = schedule
        self.app = app
        self.environment = environment
    }

    /// Edits a target's gate, as a person would with a change.
    /// - Throws: when no gate can be like that at `now`, at `/set`.
    mutating func put(_ edit: GateEdit, on target: Target, at now: Timestamp) throws(ServiceError) {
        var gate = target.gate
        do { try gate.apply(edit, settings: target.settings) } catch { throw ServiceError(error, at: "/set") }
        try gate.checkTimes(after: target.gate, at: now, in: "/set")
        guard gate != target.gate, let app = catalog.apps[target.key.app] else { return }
        let changed = catalog.change(of: target.key, to: gate, target.settings)
        var after = app
        after.platforms[target.key.platform] = catalog.target(after: changed, target.settings)
        var step = Step(plan: .nothing, kind: .set, apps: [after])
        step.add(changed)
        catalog.apply(step, sequence: catalog.sequence + 1)
    }

    /// Does everything that comes due up to and including a moment. To be called once.
    /// - Throws: `too_many_windows` when more comes due by then than can be played.
    mutating func advance(to moment: Timestamp) throws(ServiceError) {
        for step in try steps(until: moment) {
            // A kill switch that lifts itself at that moment is lifted first, as the clock does it.
            lift(until: step.due)
            if step.isStart { start(step) } else { end(step) }
        }
        lift(until: moment)
    }

    /// The steps of windows in order; also prepares everything that they need.
    private mutating func steps(until moment: Timestamp) throws(ServiceError) -> [DueStep] {
        let own = Set(catalog.apps[app]?.platforms.values.map(\.key) ?? [])
        let windows = schedule.windows(connectedWith: own, until: moment)
        var steps: [DueStep] = []
        var work = 0
        for window in windows {
            let next = DueStep(window)
            steps.append(next)
            if next.isStart {
                waiting[window.id] = window
                if let end = window.end?.at, end <= moment { steps.append(DueStep(window.id, isStart: false, due: end)) }
            } else {
                running[window.id] = window
            }
            work += window.targets.count * (next.isStart && window.end.map { $0.at <= moment } ?? false ? 2 : 1)
        }
        guard work <= room else {
            throw ServiceError(
                .invalid,
                "too_many_windows",
                "Until \(moment), windows would alter targets \(work) times, and a forecast can play at most \(room). Name an earlier moment.",
                field: "/at"
            )
        }
        for key in own.union(windows.flatMap { $0.targets.map(\.key) }) { lifts[key] = catalog.target(key)?.gate.killSwitch?.until }
        return steps.sorted()
    }

    private mutating func lift(until moment: Timestamp) {
        while let (key, until) = lifts.min(by: { $0.value < $1.value }), until <= moment {
            lifts[key] = nil
            // A refused step is simply not done: here there is nobody to retry it.
            guard let target = catalog.target(key), let step = try? planner(at: until).plan(.lifting(target), terms: WriteTerms()) else {
                continue
            }
            commit(step, at: until)
        }
    }

    private mutating func start(_ due: DueStep) {
        guard let window = waiting.removeValue(forKey: due.window) else { return }
        let next = WindowStep(upToDate(window), catalog: catalog, now: due.due)
        guard next.left.isEmpty, let started = play(next, at: due.due), started.state == .running else { return }
        running[due.window] = started
    }

    private mutating func end(_ due: DueStep) {
        // One that could not start has no end.
        guard let window = running.removeValue(forKey: due.window) else { return }
        let withdrawal = Withdrawal(of: window, from: catalog)
        guard play(WindowStep(upToDate(window), catalog: catalog, now: due.due), at: due.due) != nil, let withdrawal else { return }
        for var other in Array(running.values) where withdrawal.alter(&other) { running[other.id] = other }
        for var other in Array(waiting.values) {
            let isSettled = withdrawal.settle(&other) { [catalog] in catalog.target($0)?.gate }
            if isSettled { waiting[other.id] = other }
        }
    }

    /// - Returns: the window after the step; nil for a window that the rules will refuse.
    private mutating func play(_ next: WindowStep, at due: Timestamp) -> Window? {
        // Losing the error is safe: the refusal is reported when the step really fails.
        guard let work = try? next.planned(by: planner(at: due), terms: WriteTerms(accept: next.window.accept)) else { return nil }
        let after = work.next.done(work.step.targets, catalog: catalog, by: .schedule, at: due, sequence: nil)
        commit(work.step, at: due)
        return after
    }

    /// A window with its expectations at this point. Only the clock alters anything here, so a rule that once was as the window expected
    /// has been followed since, as ``Schedule/overtaken(by:except:ending:on:by:at:sequence:because:)`` does.
    private func upToDate(_ window: Window) -> Window {
        var window = window
        for index in window.targets.indices {
            let key = window.targets[index].key
            guard let altered = altered[key], let gate = catalog.target(key)?.gate else { continue }
            let (expected, made) = (window.targets[index].expected.dictionary, window.targets[index].made?.dictionary)
            var moved: [Rule: JSONValue?] = [:]
            for rule in window.rules {
                let known = [expected[rule], made?[rule]].compactMap(\.self)
                if let altered = altered[rule], known.contains(where: altered.contains) {
                    moved.updateValue(gate.json(of: rule), forKey: rule)
                }
            }
            _ = window.follow(moved, at: index)
        }
        return window
    }

    private func planner(at due: Timestamp) -> Planner {
        var planner = Planner(catalog: catalog, environment: environment, wideShare: 1, now: due) { _, _ in nil }
        planner.tellsEffects = false
        return planner
    }

    private mutating func commit(_ step: Step, at due: Timestamp) {
        for changed in step.targets {
            lifts[changed.target] = changed.after.killSwitch?.until
            for (rule, json) in changed.altered {
                altered[changed.target, default: [:]][rule, default: [changed.before.json(of: rule)]].insert(json)
            }
        }
        let sequence = catalog.sequence + 1
        catalog.apply(step.dated(due, sequence: sequence), sequence: sequence)
    }
}
