/// How the installed version of an app is compared with a rule's.
public enum VersionComparison: String, Sendable, Hashable, CaseIterable {
    /// As ``AppVersion``: `1.9` is older than `1.10`. Version codes, being numbers, come out right too.
    case numeric
    /// As ``VersionCode``: whole numbers; what is dotted is no version.
    case code
    /// As LaunchGate does, by the order of their texts: `1.10` is older than `1.9`. For simulation and tests; no gate means it.
    case text

    /// Whether `one` is older than `other`; false when either is no version.
    public func isOlder(_ one: String, than other: String) -> Bool {
        guard let one = OrderedVersion(one, self), let other = OrderedVersion(other, self) else { return false }
        return one < other
    }

    /// Whether both are the same version, in whatever spelling; texts that are no versions are the same when they are equal.
    public func isSame(_ one: String, as other: String) -> Bool {
        guard let left = OrderedVersion(one, self), let right = OrderedVersion(other, self) else { return one == other }
        return left == right
    }
}

extension VersionScheme {
    /// How versions of the scheme are compared.
    public var comparison: VersionComparison {
        switch self {
        case .dotted: .numeric
        case .code: .code
        }
    }
}
