package import GateJSON
package import GateModel

/// The flags that OpenFeature SDKs can request (design section 9). They are the same for every app and platform.
package enum FlagKey: String, Sendable, Hashable, CaseIterable {
    case kill = "gate.kill"
    case forceUpdate = "gate.forceUpdate"
    case requiredUpdate = "gate.requiredUpdate"
    case optionalUpdate = "gate.optionalUpdate"
    case alert = "gate.alert"
    /// An object: what a phone shows, in full.
    case gate

    /// The rule of a boolean flag; nil for the object.
    private var rule: Rule? {
        switch self {
        case .kill: .killSwitch
        case .forceUpdate: .forceUpdate
        case .requiredUpdate: .requiredUpdate
        case .optionalUpdate: .optionalUpdate
        case .alert: .alert
        case .gate: nil
        }
    }

    /// The flag's value for a phone with `decision`, and the name of that value among the possible ones.
    package func value(of decision: Decision) -> (value: JSONValue, variant: String) {
        guard let rule else { return (Self.document(of: decision), decision.kind.rawValue) }
        let isOn = decision.rule == rule
        return (.bool(isOn), isOn ? "on" : "off")
    }

    /// Members without a value are left out.
    private static func document(of decision: Decision) -> JSONValue {
        var document: JSONObject = ["decision": .string(decision.kind.rawValue)]
        if let text = decision.text { document["message"] = .string(text) }
        if decision.rule == .requiredUpdate, let version = decision.version { document["minimumVersion"] = .string(version) }
        if let interval = decision.retryInterval { document["retryInterval"] = .integer(interval) }
        if let storeURL = decision.storeURL { document["storeURL"] = .string(storeURL) }
        return .object(document)
    }
}
