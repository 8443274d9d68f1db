import GateJSON
import GateModel

/// What a window takes away when it ends: it replaces what it had put on its targets with what is there without it.
///
/// A window that started while it ran has stored what it had put as "before", and would bring that back at its own end, when nobody wants
/// it any more.
struct Withdrawal {
    /// A rule as the window had put it.
    private struct Put {
        /// The rule as each version scheme reads it; a scheme that cannot is missing.
        let json: [VersionScheme: JSONValue?]
        /// Whether it took the platform's interval at the time, which may have changed since.
        let tookInterval: Bool

        init?(_ rule: Rule, _ set: JSONValue?) {
            // An edit that cannot be read was never put anywhere.
            guard let edit = try? PreparedEdit(GateEdit([rule: set])) else { return nil }
            var json: [VersionScheme: JSONValue?] = [:]
            for scheme in VersionScheme.allCases {
                var gate = Gate.open
                guard (try? gate.apply(edit, settings: PlatformSettings(versionScheme: scheme))) != nil else { continue }
                json.updateValue(gate.json(of: rule), forKey: scheme)
            }
            self.json = json
            tookInterval = rule == .killSwitch && (set?.object?["retryInterval"].map(\.isNull) ?? true)
        }

        func isFound(in found: JSONValue?, _ scheme: VersionScheme) -> Bool {
            guard let put = json[scheme] else { return false }
            guard tookInterval, let interval = found?.object?["retryInterval"], var object = put?.object else { return found == put }
            object["retryInterval"] = interval
            return found == .object(object)
        }
    }

    private let window: Window
    private let started: Window.Event
    private let puts: [Rule: Put]
    private let schemes: [TargetKey: VersionScheme]
    private let befores: [TargetKey: GateEdit]

    /// - Parameter kept: targets on which what it had put stays for now.
    /// - Returns: nil for a window that never started, and for one that leaves everything as it put it.
    init?(of window: Window, from catalog: Catalog, except kept: Set<TargetKey> = []) {
        guard let started = window.started else { return nil }
        var puts: [Rule: Put] = [:]
        for (rule, set) in window.set.rules where window.then == .restore || set != nil { puts[rule] = Put(rule, set) }
        guard !puts.isEmpty else { return nil }
        self.window = window
        self.started = started
        self.puts = puts
        var schemes: [TargetKey: VersionScheme] = [:]
        var befores: [TargetKey: GateEdit] = [:]
        for target in window.targets where !kept.contains(target.key) {
            schemes[target.key] = catalog.target(target.key)?.settings.versionScheme
            befores[target.key] = target.before
        }
        self.schemes = schemes
        self.befores = befores
    }

    var targets: some Sequence<TargetKey> { schemes.keys }

    /// Makes a window that waits expect what is there without this one, where that is what is there now: a person may have taken away what
    /// this one put before it ended, and then its end alters nothing that others could follow.
    /// - Parameter gate: the gates after the end.
    /// - Returns: whether it expected what this one had put.
    func settle(_ other: inout Window, _ gate: (TargetKey) -> Gate?) -> Bool {
        guard other.state == .pending else { return false }
        var isTouched = false
        for index in other.targets.indices {
            let target = other.targets[index]
            guard schemes[target.key] != nil, let gate = gate(target.key) else { continue }
            if other.follow(settled(target, as: gate), at: index) { isTouched = true }
        }
        return isTouched
    }

    /// The rules of a waiting window's target that are without this one already as it leaves them, while the window still expects what this
    /// one had put; with what it expects of them after the end.
    func settled(_ target: Window.Target, as gate: Gate) -> [Rule: JSONValue?] {
        guard let scheme = schemes[target.key] else { return [:] }
        let expected = target.expected.dictionary
        var moved: [Rule: JSONValue?] = [:]
        for (rule, put) in puts {
            guard let found = expected[rule], put.isFound(in: found, scheme) else { continue }
            let left: JSONValue? = window.then == .open ? nil : befores[target.key]?.dictionary[rule] ?? nil
            if left == gate.json(of: rule) { moved.updateValue(left, forKey: rule) }
        }
        return moved
    }

    /// Makes a window that started later go back to what is there without this one.
    /// - Returns: whether it would have brought something back.
    func alter(_ other: inout Window) -> Bool {
        guard other.id != window.id, other.state == .running, let start = other.started, !start.came(before: started) else { return false }
        var isTouched = false
        for index in other.targets.indices {
            let key = other.targets[index].key
            guard let scheme = schemes[key], var before = other.targets[index].before?.dictionary else { continue }
            for (rule, put) in puts {
                guard let found = before[rule], put.isFound(in: found, scheme) else { continue }
                let left: JSONValue? = window.then == .open ? nil : befores[key]?.dictionary[rule] ?? nil
                guard found != left else { continue }
                before.updateValue(left, forKey: rule)
                other.targets[index].before = GateEdit(before)
                isTouched = true
            }
        }
        return isTouched
    }
}

extension Window {
    /// Its start; nil before that.
    fileprivate var started: Event? { events.last { $0.what == .started } }
}

extension Window.Event {
    /// Two changes came in the order of their sequences, whatever became of the clock in between. Of starts that changed nothing only the
    /// times are known.
    fileprivate func came(before other: Window.Event) -> Bool {
        if let sequence, let last = other.sequence { sequence < last } else { at < other.at }
    }
}

extension GateEdit {
    var dictionary: [Rule: JSONValue?] { Dictionary(uniqueKeysWithValues: rules.map { ($0.rule, $0.json) }) }
}
