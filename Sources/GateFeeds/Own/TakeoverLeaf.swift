import GateJSON
import GateModel

/// One value of a file being taken over, with its meaning.
struct TakeoverLeaf: Sendable {
    let meaning: TakeoverMeaning
    let value: JSONValue
    let platform: PlatformKey
    let settings: PlatformSettings
    private let prefix: String

    init(
        _ meaning: TakeoverMeaning,
        _ value: JSONValue,
        _ platform: PlatformKey,
        isPrefixed: Bool,
        _ settings: PlatformSettings
    ) {
        (self.meaning, self.value, self.platform, self.settings) = (meaning, value, platform, settings)
        let isIdentifier =
            platform.text.utf8.allSatisfy { $0 != UInt8(ascii: "-") }
            && !(platform.text.first?.isNumber ?? true)
        prefix = !isPrefixed ? "" : isIdentifier ? platform.text + "." : "platforms['\(platform)']."
    }

    /// The rule's name in an expression: `ios.kill`.
    var rule: String { prefix + (meaning.word.rule?.templateWord ?? "") }

    /// The value's name in an expression: `ios.kill.messages['de']`.
    var path: String {
        if let language = meaning.language { return "\(rule).messages['\(language)']" }
        let isCode = if case .number = value { true } else { false }
        return prefix + meaning.word.rawValue
            + (isCode && meaning.word.isVersion ? "Code" : "")
    }

    /// Texts for on and off, as people write them.
    private static let pairs = [
        ("true", "false"), ("on", "off"), ("yes", "no"), ("1", "0"), ("enabled", "disabled"),
        ("active", "inactive"),
    ]

    /// How a switch is spelled when it is on and when it is off, and which of the two the file has.
    /// - Throws: `invalid_map` if the value is not a switch.
    func spellings() throws(TemplateRefusal) -> (on: JSONValue, off: JSONValue, isOn: Bool) {
        func both(_ high: JSONValue, _ low: JSONValue, _ isHigh: Bool) -> (
            on: JSONValue, off: JSONValue, isOn: Bool
        ) {
            meaning.isInverted ? (low, high, !isHigh) : (high, low, isHigh)
        }
        switch value {
        case .bool(let flag): return both(.bool(true), .bool(false), flag)
        case .number(let text):
            let isZero = Double(text) == 0
            return both(isZero ? .number("1") : value, isZero ? value : .number("0"), !isZero)
        case .string(let text):
            for (high, low) in Self.pairs {
                for spell in [{ $0 }, { $0.uppercased() }, { $0.prefix(1).uppercased() + $0.dropFirst() }]
                    as [(String) -> String]
                where text == spell(high) || text == spell(low) {
                    return both(.string(spell(high)), .string(spell(low)), text == spell(high))
                }
            }
        default: break
        }
        let shown = String(value.text.prefix(60))
        throw .invalidMap("\(shown) is not a switch: a switch is true or false, a number, or a text such as on or off.", at: meaning.place)
    }
}

/// What a file says about one platform's gate.
struct TakeoverGate: Sendable {
    /// Whether a switch in the file says that the rule is on.
    private var switches: [Rule: Bool] = [:]
    private var texts: [Rule: [String: String]] = [:]
    private var versions: [Rule: String] = [:]
    private var blocking: Bool?
    private var retryInterval: Int?
    private var rules: Set<Rule> = []

    mutating func note(_ leaf: TakeoverLeaf) throws(TemplateRefusal) {
        let place = leaf.meaning.place
        if let rule = leaf.meaning.word.rule { rules.insert(rule) }
        switch leaf.meaning.word {
        case .kill, .force, .required, .optional, .alert:
            guard let rule = leaf.meaning.word.rule else { return }
            let isOn = try leaf.spellings().isOn
            guard switches[rule] ?? isOn == isOn else {
                throw .invalidMap("Another value says the opposite of \(rule.templateWord): the file contradicts itself.", at: place)
            }
            switches[rule] = isOn
        case .killMessage, .forceMessage, .requiredMessage, .optionalMessage, .alertMessage:
            guard let rule = leaf.meaning.word.rule, leaf.value.isNull || leaf.value.string != nil else {
                throw .invalidMap("A message is a text, not \(leaf.value.kindInWords).", at: place)
            }
            if let text = leaf.value.string, !text.isEmpty {
                texts[rule, default: [:]][leaf.meaning.language ?? "default"] = text
            }
        case .minimumVersion, .optionalVersion:
            guard let rule = leaf.meaning.word.rule, let version = Self.version(leaf) else {
                throw .invalidMap("A version is a text or a whole number, not \(leaf.value.kindInWords).", at: place)
            }
            if !version.isEmpty { versions[rule] = version }
        case .blocking: blocking = try leaf.spellings().isOn
        case .retryInterval:
            guard let seconds = leaf.value.integer else {
                throw .invalidMap("The retry interval is a whole number of seconds, not \(leaf.value.kindInWords).", at: place)
            }
            retryInterval = seconds
        case .storeURL: break
        }
    }

    /// The version; "" for one that no version is below, which means that nothing is required; nil for a value of another type.
    private static func version(_ leaf: TakeoverLeaf) -> String? {
        switch leaf.value {
        case .null: return ""
        case .number: return leaf.value.integer.map { $0 <= 0 ? "" : String($0) }
        case .string(let text):
            return text.unicodeScalars.allSatisfy { $0 == "0" || $0 == "." } ? "" : text
        default: return nil
        }
    }

    /// Whether the file says that a rule is on: by its switch or, without one, by having a version or else a text.
    func isOn(_ rule: Rule) -> Bool {
        switches[rule] ?? (rule.hasVersion ? versions[rule] != nil : texts[rule] != nil)
    }

    /// In the form of `PUT /apps/{app}/platforms/{platform}`; nil if there are none.
    var settings: JSONValue? { retryInterval.map { .object(["defaultRetryInterval": .integer($0)]) } }

    /// Rules that are on without a text.
    var textless: [Rule] { Rule.allCases.filter { rules.contains($0) && isOn($0) && (texts[$0] ?? [:]).isEmpty } }

    /// In the form of a change's `set`.
    var edit: JSONValue {
        var edit = JSONObject()
        for rule in Rule.allCases where rules.contains(rule) {
            guard isOn(rule) else {
                edit[rule.rawValue] = .null
                continue
            }
            var object: JSONObject = ["message": message(of: rule)]
            switch rule {
            case .killSwitch: object["retryInterval"] = retryInterval.map { .integer($0) }
            case .forceUpdate: break
            case .requiredUpdate: object["minimumVersion"] = .string(versions[rule] ?? "")
            case .optionalUpdate: object["optionalVersion"] = .string(versions[rule] ?? "")
            case .alert: object["blocking"] = .bool(blocking ?? false)
            }
            edit[rule.rawValue] = .object(object)
        }
        return .object(edit)
    }

    /// One text, or one per language; without any, a dash, about which the import warns.
    private func message(of rule: Rule) -> JSONValue {
        let texts = texts[rule] ?? [:]
        guard let any = texts["default"] ?? texts.sorted(by: { $0.key < $1.key }).first?.value else {
            return .string("–")
        }
        guard texts.keys.contains(where: { $0 != "default" }) else { return .string(any) }
        let all = texts.merging(["default": any]) { given, _ in given }
        return .object(
            JSONObject(uniqueMembers: all.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        )
    }
}
