import GateJSON
import GateModel

/// A value of the gate that a template names, such as `kill.message` or `ios.blocked`.
struct TemplatePath: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        /// The rule with its members, or null.
        case rule(Rule)
        /// The rule's text: the default one, or the one for a language.
        case text(Rule, language: String?)
        case killInterval, killUntil, minimumVersion, blockedVersions, optionalVersion, blocking
        /// A version code as a number.
        case minimumVersionCode, optionalVersionCode
        /// The text of ``TemplateFacts/firstRule``.
        case firstText(language: String?)
        case blocked, state, storeURL, retryInterval, sequence
    }

    /// The index of the platform in ``OwnTemplate/platforms``.
    let platform: Int
    let value: Value
    /// Its spelling in the template, and that of the rule to which it belongs.
    let spelling: String
    let ownerSpelling: String

    /// The rule to which it belongs: while that is off, the value does not exist.
    var owner: Rule? {
        switch value {
        case .text(let rule, _): rule
        case .killInterval, .killUntil: .killSwitch
        case .minimumVersion, .minimumVersionCode, .blockedVersions: .requiredUpdate
        case .optionalVersion, .optionalVersionCode: .optionalUpdate
        case .blocking: .alert
        case .rule, .firstText, .blocked, .state, .storeURL, .retryInterval, .sequence: nil
        }
    }

    /// The facts that decide whether it exists and, when it is written out, which types its members have.
    var factsOfShape: TemplateFacts { value == .rule(.killSwitch) ? [.kill, .until] : facts }

    /// The facts that decide whether it exists, which type it has, and whether it counts as true.
    var facts: TemplateFacts {
        switch value {
        case .killUntil: [.kill, .until]
        case .rule(let rule): TemplateFacts(rule)
        case .text(let rule, _): TemplateFacts(rule)
        case .killInterval: .kill
        case .minimumVersion, .minimumVersionCode: .required
        case .blockedVersions: [.required, .blockedVersions]
        case .optionalVersion, .optionalVersionCode: .optional
        case .blocking: [.alert, .blocking]
        case .blocked: [.kill, .force, .alert, .blocking]
        case .state: TemplateFacts.rules.union(.blocking)
        case .firstText: .rules
        case .storeURL: .storeURL
        case .retryInterval, .sequence: []
        }
    }

    /// Its outcome under these facts: completely known, or a value of a known type.
    /// - Throws: `template_fails` for a member of a rule that is off.
    func outcome(_ facts: TemplateFacts) throws(TemplateRefusal) -> TemplateOutcome {
        if let owner, !facts.contains(TemplateFacts(owner)) {
            throw TemplateRefusal(
                "template_fails",
                at: "",
                "\(spelling) does not exist while \(ownerSpelling) is off. Put it into {\"$if\":\"\(ownerSpelling)\",\"then\":…,\"else\":…}."
            )
        }
        switch value {
        case .rule(let rule): return facts.contains(TemplateFacts(rule)) ? .value(self, .object) : .null
        case .text, .minimumVersion, .optionalVersion: return .value(self, .string)
        case .killUntil: return facts.contains(.until) ? .value(self, .string) : .null
        case .killInterval, .minimumVersionCode, .optionalVersionCode, .retryInterval, .sequence: return .value(self, .number)
        case .blockedVersions: return .value(self, .array)
        case .blocking: return .bool(facts.contains(.blocking))
        case .firstText: return facts.firstRule == nil ? .null : .value(self, .string)
        case .blocked: return .bool(facts.state == .blocked)
        case .state: return .string(facts.state.rawValue)
        case .storeURL: return facts.contains(.storeURL) ? .value(self, .string) : .null
        }
    }

    /// The value itself; null if there is none.
    func json(of target: Target) -> JSONValue {
        let gate = target.gate
        func text(_ message: Message?, _ language: String?) -> JSONValue {
            message.map { .string(language.map { $0 == "default" ? [] : [$0] }.map($0.text(for:))?.text ?? $0.defaultText) } ?? .null
        }
        switch value {
        case .rule(let rule): return gate.isOn(rule) ? .object(Self.members(of: rule, of: gate)) : .null
        case .text(let rule, let language): return text(gate.message(of: rule), language)
        case .killInterval: return gate.killSwitch.map { .integer($0.retryInterval) } ?? .null
        case .killUntil: return gate.killSwitch?.until.map { .string($0.description) } ?? .null
        case .minimumVersion: return gate.requiredUpdate.map { .string($0.minimumVersion) } ?? .null
        case .minimumVersionCode: return Self.code(gate.requiredUpdate?.minimumVersion)
        case .optionalVersionCode: return Self.code(gate.optionalUpdate?.optionalVersion)
        case .blockedVersions: return gate.requiredUpdate.map { .array($0.blockedVersions.map(JSONValue.string)) } ?? .null
        case .optionalVersion: return gate.optionalUpdate.map { .string($0.optionalVersion) } ?? .null
        case .blocking: return gate.alert.map { .bool($0.blocking) } ?? .null
        case .firstText(let language): return text(TemplateFacts(target).firstRule.flatMap(gate.message(of:)), language)
        case .blocked: return .bool(gate.state == .blocked)
        case .state: return .string(gate.state.rawValue)
        case .storeURL: return target.settings.storeURL.map(JSONValue.string) ?? .null
        case .retryInterval: return .integer(gate.killSwitch?.retryInterval ?? target.settings.defaultRetryInterval)
        case .sequence: return .integer(target.sequence)
        }
    }

    /// A version code without leading zeros, which JSON numbers cannot have.
    private static func code(_ version: String?) -> JSONValue {
        guard let version, VersionScheme.code.accepts(version) else { return .null }
        let digits = version.drop { $0 == "0" }
        return .number(digits.isEmpty ? "0" : String(digits))
    }

    /// A rule as an object. It has all of its members in every state, so its shape never changes.
    private static func members(of rule: Rule, of gate: Gate) -> JSONObject {
        let message: JSONValue = .string(gate.message(of: rule)?.defaultText ?? "")
        switch rule {
        case .killSwitch:
            let until = gate.killSwitch?.until.map { JSONValue.string($0.description) } ?? .null
            return ["message": message, "retryInterval": .integer(gate.killSwitch?.retryInterval ?? 0), "until": until]
        case .forceUpdate: return ["message": message]
        case .requiredUpdate:
            return [
                "minimumVersion": .string(gate.requiredUpdate?.minimumVersion ?? ""),
                "blockedVersions": .array((gate.requiredUpdate?.blockedVersions ?? []).map(JSONValue.string)), "message": message,
            ]
        case .optionalUpdate: return ["optionalVersion": .string(gate.optionalUpdate?.optionalVersion ?? ""), "message": message]
        case .alert: return ["message": message, "blocking": .bool(gate.alert?.blocking ?? false)]
        }
    }

    /// The most UTF-8 bytes that it takes as JSON.
    var mostBytes: Int {
        // A scalar has at most four bytes. An escaped one takes two: texts contain no control characters other than line feed.
        let text = 4 * Message.lengths.upperBound + 2
        let version = VersionScheme.lengths.upperBound + 2
        let versions = 2 + GateLimits.versions * (version + 1)
        let time = 32
        switch value {
        case .rule(.killSwitch): return text + time + 64
        case .rule(.requiredUpdate): return text + version + versions + 64
        case .rule: return text + version + 64
        case .text, .firstText: return text
        case .minimumVersion, .minimumVersionCode, .optionalVersion, .optionalVersionCode: return version
        case .blockedVersions: return versions
        case .killUntil: return time
        case .storeURL: return 2 * PlatformSettings.storeURLLengths.upperBound + 2
        case .state: return 16
        case .killInterval, .retryInterval, .sequence, .blocked, .blocking: return 20
        }
    }

    /// The members of a value that is an object, with their types.
    func shape(_ facts: TemplateFacts) -> [(String, TemplateKind)] {
        switch value {
        case .rule(.killSwitch): [("message", .string), ("retryInterval", .number), ("until", facts.contains(.until) ? .string : .null)]
        case .rule(.forceUpdate): [("message", .string)]
        case .rule(.requiredUpdate): [("minimumVersion", .string), ("blockedVersions", .array), ("message", .string)]
        case .rule(.optionalUpdate): [("optionalVersion", .string), ("message", .string)]
        case .rule(.alert): [("message", .string), ("blocking", .bool)]
        default: []
        }
    }
}

/// The result of an expression under given facts.
enum TemplateOutcome: Sendable {
    case null
    case bool(Bool)
    /// As it is spelled.
    case number(String)
    case string(String)
    /// An existing value of the gate; what it says is known only when it is rendered.
    case value(TemplatePath, TemplateKind)

    var kind: TemplateKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .value(_, let kind): kind
        }
    }

    /// Truth as in JSON-e: null, false, 0, an empty text and an empty list are false.
    /// - Parameter facts: the facts of a value's platform.
    func isTrue(_ facts: (Int) -> TemplateFacts) -> Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .number(let text): Double(text) != 0
        case .string(let text): !text.isEmpty
        case .value(let path, _): path.value != .blockedVersions || facts(path.platform).contains(.blockedVersions)
        }
    }
}

/// The JSON type of a place, or that it is absent.
enum TemplateKind: Int, Sendable, Hashable, Comparable, CaseIterable {
    case absent, null, bool, number, string, array, object

    static func < (one: TemplateKind, other: TemplateKind) -> Bool { one.rawValue < other.rawValue }

    var inWords: String {
        switch self {
        case .absent: "missing"
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
