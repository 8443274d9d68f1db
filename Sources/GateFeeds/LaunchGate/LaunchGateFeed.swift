import GateModel

/// The object that LaunchGate obeys, the same for every caller.
///
/// LaunchGate lets the first rule that is *there* decide, even for users whom it does not concern: a minimum version that everybody
/// has reached hides a blocking alert (wire formats 1.3). So the object holds at most one rule (6.1 items 14 and 15).
enum LaunchGateFeed {
    /// The one rule that is shown, in the form that LaunchGate has for it.
    enum Shown: Equatable {
        case requiredUpdate(version: String, message: Message)
        case optionalUpdate(version: String, message: Message)
        case alert(message: Message, blocking: Bool)
    }

    /// The rule that speaks for `gate`.
    ///
    /// A blocking alert goes before a forced update too: that one becomes a required update at the newest release here, and would let
    /// those who have it past the alert. A forced update that no release can stand for leaves the word to the rules below it.
    static func shown(of gate: Gate, settings: PlatformSettings) -> Shown? {
        if let rule = gate.killSwitch { return .alert(message: rule.message, blocking: true) }
        if let rule = gate.blockingAlert { return .alert(message: rule.message, blocking: true) }
        if let rule = gate.forceUpdate, let newest = settings.newestRelease { return .requiredUpdate(version: newest, message: rule.message) }
        if let rule = gate.requiredUpdate { return .requiredUpdate(version: rule.minimumVersion, message: rule.message) }
        if let rule = gate.optionalUpdate { return .optionalUpdate(version: rule.optionalVersion, message: rule.message) }
        return gate.alert.map { .alert(message: $0.message, blocking: $0.blocking) }
    }

    static func object(for target: Target) -> JSONObject {
        switch shown(of: target.gate, settings: target.settings) {
        case .requiredUpdate(let version, let message): ["requiredUpdate": RuleObject.requiredUpdate(version, message)]
        case .optionalUpdate(let version, let message): ["optionalUpdate": RuleObject.optionalUpdate(version, message)]
        case .alert(let message, let blocking): ["alert": RuleObject.alert(message, blocking: blocking)]
        case nil: [:]
        }
    }
}
