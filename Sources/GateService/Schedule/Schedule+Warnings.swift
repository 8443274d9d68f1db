import GateJSON
import GateModel

extension Schedule {
    /// The step, with warnings in its plan about windows that will find their rules changed, or their targets gone, because of it; and
    /// about those that shut people out again whom it lets in, or take back at their ends what it does now.
    /// - Parameter catalog: the catalog before the step.
    func warned(_ step: Step, on catalog: Catalog) -> Step {
        guard !active.isEmpty else { return step }
        let removed = Set(step.removedTargets)
        var surprises = Surprises(
            of: step.targets.filter { byTarget[$0.target] != nil && !removed.contains($0.target) },
            repeating: step.repeats.filter { byTarget[$0.key] != nil },
            on: catalog
        )
        for window in windows(about: surprises.targets) { surprises.add(window) }
        var step = step
        step.plan = step.plan.adding(warnings(losing: removed) + surprises.warnings)
        return step
    }
}

/// What a change means for the windows about its targets.
private struct Surprises {
    /// What the change makes of its targets.
    private let changes: [TargetKey: ChangedTarget]
    private let altered: [TargetKey: [Rule: JSONValue?]]
    /// What the change makes of rules, or says again although they are so already: its author means that to stay.
    private let said: [TargetKey: [Rule: JSONValue?]]
    /// Targets where it lets people in.
    private let opened: Set<TargetKey>
    private let catalog: Catalog
    /// Targets about which there was a window before, and what the first one takes away and when, if it is running and ends next.
    private var seen: Set<TargetKey> = []
    private var endings: [TargetKey: (ending: Withdrawal, due: Timestamp)] = [:]
    /// Windows with the targets concerned.
    private typealias Concerned = [(Window, [TargetKey])]
    /// Windows that will not start, those whose end will leave something, and those that shut people out all the same.
    private var (waiting, running, staying): (Concerned, Concerned, Concerned) = ([], [], [])
    /// Windows whose end will take this change for their own doing, and those whose start will take it away.
    private var (taking, lifting): (Concerned, Concerned) = ([], [])

    init(of changed: [ChangedTarget], repeating repeats: [TargetKey: [Rule]], on catalog: Catalog) {
        changes = Dictionary(changed.map { ($0.target, $0) }, uniquingKeysWith: { first, _ in first })
        altered = changes.mapValues(\.altered)
        var said = altered
        for (target, rules) in repeats {
            for rule in rules { said[target, default: [:]].updateValue(catalog.target(target)?.gate.json(of: rule), forKey: rule) }
        }
        self.said = said
        opened = Set(changed.filter(\.opens).map(\.target))
        self.catalog = catalog
    }

    var targets: [TargetKey] { Array(said.keys) }

    /// Adds a window; they come in the order in which they are due.
    mutating func add(_ window: Window) {
        noteEnding(of: window)
        let touched = window.targets.filter { surprises($0, of: window) }.map(\.key)
        if !touched.isEmpty {
            if window.state == .pending { waiting.append((window, touched)) } else { running.append((window, touched)) }
        } else if window.state == .pending, window.shutsSomebodyOut {
            let shut = window.targets.map(\.key).filter(opened.contains)
            if !shut.isEmpty { staying.append((window, shut)) }
        } else if window.state == .pending {
            let lifted = window.targets.filter { lifts($0, by: window) }.map(\.key)
            if !lifted.isEmpty { lifting.append((window, lifted)) }
        }
        let taken = window.targets.filter { takesBack($0, of: window) }.map(\.key)
        if !taken.isEmpty { taking.append((window, taken)) }
    }

    /// Whether the end of a running window takes back what the change does to a target, because it is the very thing that the window did:
    /// who does that again does not know whether they mean the window's or their own.
    private func takesBack(_ target: Window.Target, of window: Window) -> Bool {
        guard window.state == .running, window.due != nil, let said = said[target.key] else { return false }
        return window.set.rules.contains { rule, set in
            guard let json = said[rule], target.expects(json, of: rule) else { return false }
            return switch window.then {
            case .open: set != nil
            case .restore: target.before?.dictionary[rule].map { $0 != json } ?? false
            }
        }
    }

    /// Whether the start of a window that waits takes away what the change puts on a target: the window was made when the very same was
    /// there, and does not ask who has set it.
    private func lifts(_ target: Window.Target, by window: Window) -> Bool {
        guard let said = said[target.key] else { return false }
        return window.set.rules.contains { rule, set in
            guard set == nil, let json = said[rule] ?? nil else { return false }
            return target.expects(json, of: rule)
        }
    }

    private mutating func noteEnding(of window: Window) {
        let first = window.targets.map(\.key).filter { changes[$0] != nil && seen.insert($0).inserted }
        guard !first.isEmpty, window.state == .running, let due = window.due, let ending = Withdrawal(of: window, from: catalog) else {
            return
        }
        for key in first { endings[key] = (ending, due) }
    }

    /// Whether a window will find other rules on a target than it expects.
    private func surprises(_ target: Window.Target, of window: Window) -> Bool {
        guard let altered = altered[target.key], var gate = changes[target.key]?.after,
            target.isSurprised(by: altered, of: window.rules, at: window.due)
        else { return false }
        guard window.state == .pending, let (ending, due) = endings[target.key] else { return true }
        // Who does by hand what a running window will do at its end stops none that was made for what comes after it.
        if let until = gate.killSwitch?.until, until <= due { gate.clear(.killSwitch) }
        let settled = ending.settled(target, as: gate)
        return target.isSurprised(by: altered, of: window.rules.filter { !settled.keys.contains($0) }, at: window.due)
    }

    var warnings: [Warning] {
        Warning.overlaps(waiting) { names, window in
            "\(names): window \(window.id), due \(window.start.inWords), was made for what is there now; after this change it will not be carried out. Make it again, or cancel it."
        } many: { names, numbers in
            "\(names): windows \(numbers) were made for what is there now; after this change they will not be carried out. Make them again, or cancel them."
        }
            + Warning.overlaps(running) { names, window in
                "\(names): window \(window.id) is running\(window.end.map { " until \($0.inWords)" } ?? ""); at its end it leaves what you change now as it is."
            } many: { names, numbers in
                "\(names): windows \(numbers) are running; at their ends they leave what you change now as it is."
            }
            + Warning.overlaps(taking) { names, window in
                "\(names): this is what window \(window.id) did; at its end\(window.end.map { ", \($0.inWords)," } ?? "") it takes it back, whoever has set it. To have it stay, cancel the window."
            } many: { names, numbers in
                "\(names): this is what windows \(numbers) did; at their ends they take it back, whoever has set it. To have it stay, cancel them."
            }
            + Warning.overlaps(lifting) { names, window in
                "\(names): window \(window.id), due \(window.start.inWords), was made when the same was there; it takes it away, whoever has set it. To have it stay, cancel the window."
            } many: { names, numbers in
                "\(names): windows \(numbers) were made when the same was there; they take it away, whoever has set it. To have it stay, cancel them."
            }
            + Schedule.warnings(opening: staying)
    }
}

extension Window.Target {
    /// Whether these rules differ from what the window expects. Putting back what it expects does not count, nor does a kill switch that
    /// has lifted itself by its next step.
    fileprivate func isSurprised(by altered: [Rule: JSONValue?], of rules: [Rule], at due: Timestamp?) -> Bool {
        rules.contains { rule in
            guard let json = altered[rule], !expects(json, of: rule) else { return false }
            let until = json?.object?["until"]?.string.flatMap(Timestamp.init(_:))
            let isGoneByThen = until.flatMap { until in due.map { until <= $0 } } ?? false
            return !(isGoneByThen && expects(nil, of: rule))
        }
    }
}

extension Warning {
    /// What is to be said about windows, each with the targets concerned: one sentence, however many there are.
    /// - Parameters:
    ///   - one: the sentence about a single window; gets the targets' names.
    ///   - many: the sentence about several; gets the names and the windows' numbers, at most five of each.
    static func overlaps(
        _ windows: [(window: Window, targets: [TargetKey])],
        one: (String, Window) -> String,
        many: (String, String) -> String
    ) -> [Warning] {
        guard let first = windows.first else { return [] }
        guard windows.count > 1 else { return [Warning(code: "window_overlap", detail: one(first.targets.inWords, first.window))] }
        let names = Set(windows.flatMap(\.targets)).sorted().inWords
        return [Warning(code: "window_overlap", detail: many(names, windows.map(\.window.id).inWords))]
    }
}

extension Plan {
    func adding(_ more: [Warning]) -> Plan {
        var plan = self
        let known = Set(warnings)
        plan.warnings += more.filter { !known.contains($0) }
        return plan
    }
}

extension Array where Element: CustomStringConvertible {
    /// At most five of them, for a sentence.
    var inWords: String {
        prefix(5).map(\.description).joined(separator: ", ") + (count > 5 ? " and \(count - 5) more" : "")
    }
}

extension ZonedTime {
    /// `2026-03-30T09:00:00 Europe/Berlin (+02:00)`
    var inWords: String { "\(wallTime) \(zone) (\(offset))" }
}
