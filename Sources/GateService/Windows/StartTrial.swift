import GateJSON
import GateModel

/// What the rules would refuse of the starts of waiting windows, found by trying them, as the clock will.
///
/// Only what a change adds counts: what was refused before is no news to whoever makes it.
struct StartTrial {
    private var planner: Planner
    /// Whether anybody reads what is found: trying a start takes as long as planning it.
    private let isRead: Bool

    /// Nobody waits for more than so many starts, and so many targets of each.
    private static let (mostWindows, mostTargets) = (10, 20)

    init(by planner: Planner) {
        self.planner = planner
        isRead = planner.tellsEffects
        // Nobody reads the plans of the starts.
        self.planner.tellsEffects = false
        self.planner.mostBytes = ApplyCommand.mostBytes
    }

    /// Windows of which a step has something refused that would not be refused without it, each with what.
    /// - Parameter windows: waiting ones, in the order in which they come due.
    func refusals(of windows: [Window], after step: Step) -> [(window: Window, why: String)] {
        let touched = Set(step.targets.map(\.target))
        let windows = windows.lazy.filter { $0.state == .pending && $0.fault == nil }.prefix(Self.mostWindows)
        guard isRead, !touched.isEmpty, !windows.isEmpty else { return [] }
        let after = planner.catalog.after(step, at: planner.now)
        return windows.compactMap { window in
            let window = window.about(touched, most: Self.mostTargets)
            guard let why = refusal(of: window, on: after), refusal(of: window, on: planner.catalog) == nil else { return nil }
            return (window, why)
        }
    }

    /// Earlier windows after whose start something of a window's is refused that would not be without them, each with what.
    func refusals(of window: Window, during earlier: [Window]) -> [(window: Window, why: String)] {
        guard isRead else { return [] }
        return earlier.prefix(Self.mostWindows).compactMap { other in
            // One that is refused itself does nothing that could matter.
            guard let step = try? start(of: other, on: planner.catalog)?.step, let found = refusals(of: [window], after: step).first else {
                return nil
            }
            return (other, found.why)
        }
    }

    /// - Returns: nil if nothing is refused, and for a window that would find something else than it was made for.
    private func refusal(of window: Window, on catalog: Catalog) -> String? {
        do throws(ServiceError) {
            guard let next = try start(of: window, on: catalog)?.next, !next.left.isEmpty else { return nil }
            return next.leftInWords
        } catch {
            return error.isRefusal ? error.detail : nil
        }
    }

    private func start(of window: Window, on catalog: Catalog) throws(ServiceError) -> (next: WindowStep, command: Command?, step: Step)? {
        var planner = planner
        (planner.catalog, planner.now) = (catalog, window.start.at)
        let next = WindowStep(window, catalog: catalog, now: planner.now)
        guard next.left.isEmpty else { return nil }
        return try next.planned(by: planner, terms: WriteTerms(accept: window.accept))
    }
}

extension Schedule {
    /// Warnings about waiting windows whose starts will be refused because of a step.
    /// - Parameter planner: has planned the step.
    func refusals(after step: Step, by planner: Planner) -> [Warning] {
        guard !active.isEmpty else { return [] }
        let windows = windows(about: step.targets.lazy.map(\.target))
        return Warning.refused(StartTrial(by: planner).refusals(of: windows, after: step), because: "After this change")
    }
}

extension Warning {
    /// What is to be said of windows whose starts a change, or another window, keeps from doing all that they are for.
    static func refused(_ starts: [(window: Window, why: String)], because what: String) -> [Warning] {
        starts.map { window, why in
            Warning(
                code: "window_refused",
                detail: "\(what) window \(window.id), due \(window.start.inWords), cannot do all that it is for: \(why)"
            )
        }
    }
}

extension Window {
    /// The window with so many of those of its targets that are named.
    fileprivate func about(_ keys: Set<TargetKey>, most: Int) -> Window {
        var window = self
        window.targets = Array(targets.lazy.filter { keys.contains($0.key) }.prefix(most))
        return window
    }
}

extension Catalog {
    fileprivate func after(_ step: Step, at moment: Timestamp) -> Catalog {
        var catalog = self
        catalog.apply(step.dated(moment, sequence: sequence + 1), sequence: sequence + 1)
        return catalog
    }
}
