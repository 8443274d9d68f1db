import GateJSON
import GateModel
import GateStore

/// What a window should have put in force at its start and did not: the rules refused it, a person had changed the window's rules by then,
/// or a target was deleted before.
struct FailedStart: Sendable {
    /// The rules that each target did not get.
    private let left: [(target: TargetKey, rules: [Rule])]
    /// What the window was for, without the texts.
    private let set: [Rule: JSONObject?]
    /// Whether it was given up before its start, with a target that was deleted.
    let isGivenUp: Bool
    let at: Timestamp
    /// Its planned end, or a day after it failed, whichever comes first: after that there is nothing to make up for, or it is no news.
    let until: Timestamp

    /// - Returns: nil unless the window has a ``Window/failedStart`` or was ``Window/givenUp``.
    init?(of window: Window) {
        guard let failed = window.failedStart ?? window.givenUp else { return nil }
        isGivenUp = window.failedStart == nil
        left = isGivenUp ? window.targets.map { ($0.key, window.rules) } : window.lackingSinceStart
        set = Dictionary(uniqueKeysWithValues: window.set.rules.map { ($0.rule, $0.json?.object.map(Self.withoutTexts)) })
        at = failed.at
        let newsEnd = failed.at.advanced(bySeconds: StoredSchedule.failedSeconds)
        until = min(window.end?.at ?? newsEnd, newsEnd)
    }

    /// The targets on which what the window was for is still not in force, whoever might have put it there. A deleted target lacks nothing.
    func lacking(on catalog: Catalog) -> [TargetKey] {
        left.compactMap { target, rules in
            guard let gate = catalog.target(target)?.gate else { return nil }
            return rules.allSatisfy { isInForce($0, on: gate) } ? nil : target
        }
    }

    /// Compared without texts: whoever does by hand what the window did not do may word it differently.
    private func isInForce(_ rule: Rule, on gate: Gate) -> Bool {
        guard let wanted = set[rule] ?? nil else { return !gate.isOn(rule) }
        guard let found = gate.json(of: rule)?.object else { return false }
        return wanted.members.allSatisfy { found[$0.name] == $0.value }
    }

    private static func withoutTexts(_ rule: JSONObject) -> JSONObject {
        var rule = rule
        for name in ["message", "retryInterval", "until"] { rule[name] = nil }
        return rule
    }
}
