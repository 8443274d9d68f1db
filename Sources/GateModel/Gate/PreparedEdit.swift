public import GateJSON

/// An edit that is read once for any number of targets: applying it to a target costs the same however long its texts are.
///
/// Whether it is valid depends on the target in only two ways: the scheme of its versions, and the interval of a kill switch that names
/// none.
public struct PreparedEdit: Sendable {
    private struct Part: Sendable {
        let rule: Rule
        /// For each version scheme, a gate with this rule and no other, or why the rule is refused.
        let read: [VersionScheme: Result<Gate, ModelError>]
        /// Whether the rule takes the platform's interval.
        let takesInterval: Bool
    }

    private let parts: [Part]

    /// - Throws: malformed (400), with the field inside the edit's document, for a wrong type or an unknown name anywhere in it. A refused
    ///   value is reported by ``Gate/apply(_:settings:)-(PreparedEdit,_)``.
    public init(_ edit: GateEdit, from source: DocumentSource = .request) throws(ModelError) {
        var parts: [Part] = []
        for (rule, json) in edit.rules {
            var read: [VersionScheme: Result<Gate, ModelError>] = [:]
            for scheme in VersionScheme.allCases {
                var gate = Gate.open
                do {
                    try gate.apply(GateEdit([rule: json]), settings: PlatformSettings(versionScheme: scheme), from: source)
                    read[scheme] = .success(gate)
                } catch {
                    guard error.kind == .invalid else { throw error }
                    read[scheme] = .failure(error)
                }
                guard rule.hasVersion else {
                    for other in VersionScheme.allCases { read[other] = read[scheme] }
                    break
                }
            }
            let interval = json?.object?["retryInterval"]
            parts.append(Part(rule: rule, read: read, takesInterval: rule == .killSwitch && interval.map(\.isNull) ?? true))
        }
        self.parts = parts
    }

    private init(_ parts: [Part]) { self.parts = parts }

    /// The rules that it replaces or clears.
    public var rules: [Rule] { parts.map(\.rule) }

    /// The edit that turns one rule off.
    public static func clearing(_ rule: Rule) -> PreparedEdit {
        PreparedEdit([Part(rule: rule, read: [.dotted: .success(.open), .code: .success(.open)], takesInterval: false)])
    }

    fileprivate func put(on gate: Gate, settings: PlatformSettings) throws(ModelError) -> Gate {
        var gate = gate
        for part in parts {
            guard let read = part.read[settings.versionScheme] else { continue }
            let rule: Gate
            switch read {
            case .success(let value): rule = value
            case .failure(let error): throw error
            }
            switch part.rule {
            case .killSwitch:
                gate.killSwitch = rule.killSwitch
                if part.takesInterval { gate.killSwitch?.retryInterval = settings.defaultRetryInterval }
            case .forceUpdate: gate.forceUpdate = rule.forceUpdate
            case .requiredUpdate: gate.requiredUpdate = rule.requiredUpdate
            case .optionalUpdate: gate.optionalUpdate = rule.optionalUpdate
            case .alert: gate.alert = rule.alert
            }
        }
        return gate
    }
}

extension Gate {
    /// Applies an edit: the rules it names are replaced or cleared, the others stay.
    /// - Throws: invalid (422), with the field inside the edit's document; the gate is then unchanged.
    public mutating func apply(_ edit: PreparedEdit, settings: PlatformSettings) throws(ModelError) {
        self = try edit.put(on: self, settings: settings)
    }
}
