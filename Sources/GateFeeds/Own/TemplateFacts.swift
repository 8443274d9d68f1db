import GateModel

/// Everything about a target that a template's conditions can ask: which rules are on, and which of their optional parts are present.
///
/// Conditions depend only on these, both when a template is checked and when it is rendered. So a template can distinguish only finitely
/// many states, and what was checked is what is rendered.
struct TemplateFacts: OptionSet, Sendable, Hashable {
    let rawValue: UInt16

    static let kill = TemplateFacts(rawValue: 1 << 0)
    static let force = TemplateFacts(rawValue: 1 << 1)
    static let required = TemplateFacts(rawValue: 1 << 2)
    static let optional = TemplateFacts(rawValue: 1 << 3)
    static let alert = TemplateFacts(rawValue: 1 << 4)
    /// The alert blocks; meaningless without ``alert``.
    static let blocking = TemplateFacts(rawValue: 1 << 5)
    /// The kill switch lifts itself; meaningless without ``kill``.
    static let until = TemplateFacts(rawValue: 1 << 6)
    /// Some versions are blocked one by one; meaningless without ``required``.
    static let blockedVersions = TemplateFacts(rawValue: 1 << 7)
    static let storeURL = TemplateFacts(rawValue: 1 << 8)

    static let rules: TemplateFacts = [.kill, .force, .required, .optional, .alert]
    static let count = 9

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ target: Target) {
        self = []
        let gate = target.gate
        for rule in Rule.allCases where gate.isOn(rule) { insert(TemplateFacts(rule)) }
        if gate.blockingAlert != nil { insert(.blocking) }
        if gate.killSwitch?.until != nil { insert(.until) }
        if gate.requiredUpdate?.blockedVersions.isEmpty == false { insert(.blockedVersions) }
        if target.settings.storeURL != nil { insert(.storeURL) }
    }

    init(_ rule: Rule) {
        self =
            switch rule {
            case .killSwitch: .kill
            case .forceUpdate: .force
            case .requiredUpdate: .required
            case .optionalUpdate: .optional
            case .alert: .alert
            }
    }

    private var blocksWithAlert: Bool { isSuperset(of: [.alert, .blocking]) }

    /// The same as ``Gate/state``.
    var state: GateState {
        if contains(.kill) || contains(.force) || blocksWithAlert { return .blocked }
        if contains(.required) { return .updateRequired }
        return isDisjoint(with: [.optional, .alert]) ? .open : .notice
    }

    /// The rule whose text goes with ``state``; nil if none is on.
    ///
    /// The first in the order of ``Precedence/gatehouse``, except that a blocking alert comes before a required update: that concerns only
    /// older versions, and the document is the same for all, so it says why everybody is blocked.
    var firstRule: Rule? {
        if contains(.kill) { return .killSwitch }
        if contains(.force) { return .forceUpdate }
        if blocksWithAlert { return .alert }
        if contains(.required) { return .requiredUpdate }
        if contains(.optional) { return .optionalUpdate }
        return contains(.alert) ? .alert : nil
    }

    /// A single fact in words: `kill is on`, `alert.blocking is false`.
    func words(_ isSo: Bool, prefix: String) -> String {
        switch self {
        case .blocking: return "\(prefix)alert.blocking is \(isSo)"
        case .until: return "\(prefix)kill.until is \(isSo ? "set" : "null")"
        case .blockedVersions: return "\(prefix)required.blockedVersions is \(isSo ? "not empty" : "empty")"
        case .storeURL: return "\(prefix)storeURL is \(isSo ? "set" : "null")"
        default:
            let name = Rule.allCases.first { TemplateFacts($0) == self }?.templateWord ?? ""
            return "\(prefix)\(name) is \(isSo ? "on" : "off")"
        }
    }

    /// The facts of a set one by one, in a fixed order.
    var singles: [TemplateFacts] { (0..<Self.count).map { TemplateFacts(rawValue: 1 << $0) }.filter(contains) }
}

extension Rule {
    /// The rule's name in templates.
    var templateWord: String {
        switch self {
        case .killSwitch: "kill"
        case .forceUpdate: "force"
        case .requiredUpdate: "required"
        case .optionalUpdate: "optional"
        case .alert: "alert"
        }
    }
}
