import GateJSON

extension Window {
    /// The event of a start that the clock could not carry out, or not as a whole, because the rules refused it or a person had changed the
    /// window's rules by then; nil for any other window, and once the window has ended.
    package var failedStart: Event? {
        guard state == .running || state == .failed && (!hasStarted || end == nil) else { return nil }
        return events.last { $0.what == .failed && $0.actor.kind == .system }
    }

    /// The event by which a window that waited was given up for all of its targets because some were deleted; nil for any other window.
    /// Whoever deletes is told by the plan, but not those who count on the window for the targets that are left.
    package var givenUp: Event? {
        guard state == .failed, !hasStarted else { return nil }
        return events.last { $0.what == .failed && $0.actor.kind != .system }
    }

    /// The targets that did not get all of a window's rules at its start, each with those that it lacks, in the order of ``Rule``; empty
    /// where nothing failed.
    package var lackingSinceStart: [(target: TargetKey, rules: [Rule])] {
        guard failedStart != nil else { return [] }
        return targets.compactMap { target in
            let put = hasStarted ? target.expected.rules.map(\.rule) : []
            let lacking = rules.filter { !put.contains($0) }
            return lacking.isEmpty ? nil : (target.key, lacking)
        }
    }
}
