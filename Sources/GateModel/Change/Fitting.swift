import GateJSON

// Answers are limited in size, and what people do may be larger: as much is shown as fits, and the rest is counted.

extension Change {
    /// The change with as many of its targets as fit into `bytes` of documents; ``omitted`` counts the others.
    public func fitting(_ bytes: Int) -> Change {
        let kept = targets.count(fitting: bytes, \.bytes)
        guard kept < targets.count else { return self }
        var change = naming(Array(targets.prefix(kept)))
        change.omitted += targets.count - kept
        return change
    }
}

extension Plan {
    /// The most UTF-8 bytes that a plan shows.
    public static let mostBytes = 917_504

    /// How many rows of each list are left out.
    public struct Omitted: Sendable, Hashable {
        public internal(set) var diff: Int
        public internal(set) var apps: Int
        public internal(set) var effects: Int
        public internal(set) var warnings: Int

        static let nothing = Omitted(diff: 0, apps: 0, effects: 0, warnings: 0)

        public init(diff: Int, apps: Int, effects: Int, warnings: Int) {
            self.diff = diff
            self.apps = apps
            self.effects = effects
            self.warnings = warnings
        }
    }

    /// The plan with as many rows as fit into `bytes`: a quarter each for effects and for warnings, an eighth for apps, the rest for
    /// fields. The tier and the confirmation are those of the whole plan.
    public func fitting(_ bytes: Int = mostBytes) -> Plan {
        let (warned, named) = (bytes / 4, bytes / 8)
        let kept = (
            diff: diff.count(fitting: bytes - 2 * warned - named - 512) { $0.json.bytes.count + 1 },
            apps: apps.count(fitting: named) { $0.json.bytes.count + 1 },
            effects: effects.count(fitting: warned) { $0.json.bytes.count + 1 },
            warnings: warnings.count(fitting: warned) { $0.json.bytes.count + 1 }
        )
        guard kept != (diff.count, apps.count, effects.count, warnings.count) else { return self }
        var plan = self
        plan.diff.removeSubrange(kept.diff...)
        plan.apps.removeSubrange(kept.apps...)
        plan.effects.removeSubrange(kept.effects...)
        plan.warnings.removeSubrange(kept.warnings...)
        var left = omitted ?? .nothing
        left.diff += diff.count - kept.diff
        left.apps += apps.count - kept.apps
        left.effects += effects.count - kept.effects
        left.warnings += warnings.count - kept.warnings
        plan.omitted = left
        return plan
    }
}

extension Array {
    /// How many elements, counted from the first, fit into `bytes`.
    func count(fitting bytes: Int, _ size: (Element) -> Int) -> Int {
        var room = bytes
        for (index, element) in enumerated() {
            room -= size(element)
            if room < 0 { return index }
        }
        return count
    }
}
