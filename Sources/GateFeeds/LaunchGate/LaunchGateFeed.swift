import GateJSON
import GateModel

/// The object that LaunchGate obeys, the same for every caller.
///
/// LaunchGate lets the first rule that is *present* decide, even for users whom it does not concern: a minimum version that everybody has
/// reached hides a blocking alert (wire formats 1.3). So the object holds at most one rule (6.1 items 14 and 15).
enum LaunchGateFeed {
    /// The one rule in the object, in LaunchGate's form.
    enum Shown: Equatable {
        case requiredUpdate(version: String, message: Message)
        case optionalUpdate(version: String, message: Message)
        case alert(message: Message, blocking: Bool)
    }

    /// The rule that represents `gate`.
    ///
    /// A blocking alert takes precedence over a forced update too: the latter becomes a required update at the newest release here, and
    /// would let those who have that release past the alert. A forced update for which no release is known makes way for the rules below
    /// it.
    static func rule(speakingFor gate: Gate, settings: PlatformSettings) -> Rule? {
        if gate.killSwitch != nil { return .killSwitch }
        if gate.blockingAlert != nil { return .alert }
        if gate.forceUpdate != nil, settings.newestRelease != nil { return .forceUpdate }
        return [.requiredUpdate, .optionalUpdate, .alert].first(where: gate.isOn)
    }

    static func shown(of gate: Gate, settings: PlatformSettings) -> Shown? {
        switch rule(speakingFor: gate, settings: settings) {
        case .killSwitch: gate.killSwitch.map { .alert(message: $0.message, blocking: true) }
        case .forceUpdate:
            settings.newestRelease.flatMap { newest in gate.forceUpdate.map { .requiredUpdate(version: newest, message: $0.message) } }
        case .requiredUpdate: gate.requiredUpdate.map { .requiredUpdate(version: $0.minimumVersion, message: $0.message) }
        case .optionalUpdate: gate.optionalUpdate.map { .optionalUpdate(version: $0.optionalVersion, message: $0.message) }
        case .alert: gate.alert.map { .alert(message: $0.message, blocking: $0.blocking) }
        case nil: nil
        }
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
