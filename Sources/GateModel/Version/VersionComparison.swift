/// How an app's installed version is compared with a rule's version.
public enum VersionComparison: String, Sendable, Hashable, CaseIterable {
    /// As ``AppVersion``: `1.9` is older than `1.10`. Works for version codes too, because they are numbers.
    case numeric
    /// As ``VersionCode``: whole numbers; a dotted text is not a version.
    case code
    /// As LaunchGate does, by comparing texts: `1.10` is older than `1.9`. For simulation and tests; no gate is meant this way.
    case text

    /// Whether `one` is older than `other`; false when either is no version.
    public func isOlder(_ one: String, than other: String) -> Bool {
        guard let one = OrderedVersion(one, self), let other = OrderedVersion(other, self) else { return false }
        return one < other
    }

    /// Whether both are the same version, however they are spelled; texts that are not versions are the same only if they are equal.
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
