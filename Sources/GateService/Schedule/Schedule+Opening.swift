import GateJSON
import GateModel

extension Schedule {
    /// Warns people who let others in about windows that shut them out again: opening cancels none of them.
    /// - Parameter staying: waiting windows that the change does not stop, each with those of its targets that are opened.
    static func warnings(opening staying: [(Window, [TargetKey])]) -> [Warning] {
        Warning.overlaps(staying) { names, window in
            "Opening now does not cancel window \(window.id), which shuts people out of \(names) from \(window.start.inWords); cancel it too if it is not wanted."
        } many: { names, numbers in
            "Opening now does not cancel windows \(numbers), which shut people out of \(names) later; cancel them too if they are not wanted."
        }
    }
}

extension ChangedTarget {
    /// Whether fewer rules keep people out than before, and no other one does instead. A kill switch that begins to be lifted counts as
    /// gone.
    var opens: Bool {
        let old = before.opening == after.opening ? before.opened : before
        return after.opened.rulesThatShut.isStrictSubset(of: old.rulesThatShut)
    }
}

extension Gate {
    fileprivate var rulesThatShut: Set<Rule> {
        Set(Rule.allCases.filter { isOn($0) && $0 != .optionalUpdate && ($0 != .alert || blockingAlert != nil) })
    }
}

extension Window {
    /// Whether its start turns on a rule that keeps people out.
    var shutsSomebodyOut: Bool {
        self.set.rules.contains { rule, json in
            switch rule {
            case .killSwitch, .forceUpdate, .requiredUpdate: json != nil
            case .alert: json?.object?["blocking"]?.bool == true
            case .optionalUpdate: false
            }
        }
    }
}
