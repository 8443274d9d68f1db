/// What a gate means for phones, by the precedence of its rules alone: the worst that applies, whatever client library somebody has.
///
/// Its versions are read once, so that many can be asked about.
public struct GateMeaning: Sendable {
    private let gate: Gate
    private let scheme: VersionScheme
    private let minimum: OrderedVersion?
    private let optional: OrderedVersion?
    private let blocked: Set<OrderedVersion>

    public init(_ gate: Gate, scheme: VersionScheme) {
        self.gate = gate
        self.scheme = scheme
        minimum = gate.requiredUpdate.flatMap { OrderedVersion($0.minimumVersion, scheme) }
        optional = gate.optionalUpdate.flatMap { OrderedVersion($0.optionalVersion, scheme) }
        blocked = Set((gate.requiredUpdate?.blockedVersions ?? []).compactMap { OrderedVersion($0, scheme) })
    }

    /// - Parameter version: one that is none, or nil, is a version that nobody knows, to which no rule about versions applies.
    public func shown(to version: String?) -> Effect.Shown { shown(to: version.flatMap { OrderedVersion($0, scheme) }) }

    package func shown(to version: OrderedVersion?) -> Effect.Shown {
        if gate.killSwitch != nil { return .blocked }
        if gate.forceUpdate != nil { return .forced }
        if let version, blocked.contains(version) || minimum.map({ version < $0 }) ?? false { return .required }
        if gate.blockingAlert != nil { return .blocked }
        if let version, let optional, version < optional { return .optional }
        return gate.alert != nil ? .alert : .nothing
    }
}

extension Gate {
    /// What the gate means for one version; see ``GateMeaning``.
    public func meant(for version: String?, scheme: VersionScheme) -> Effect.Shown { GateMeaning(self, scheme: scheme).shown(to: version) }
}
