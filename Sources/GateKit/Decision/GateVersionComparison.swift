import GateModel

/// How the installed version is compared with a rule's version.
public enum GateVersionComparison: String, Sendable, Hashable, CaseIterable {
    /// As people mean it: `1.9` is older than `1.10`; missing components are zero, `-beta` comes before its release, `+build` is ignored.
    case numeric
    /// As whole numbers, using the build, or the version if the build is not a number: `41`.
    case code
    /// As LaunchGate does, by comparing texts: `1.10` is older than `1.9`. For tests of how an app behaved before.
    case text

    /// Whether `one` is older than `other`; false when either is no version.
    public func isOlder(_ one: String, than other: String) -> Bool { model.isOlder(one, than: other) }

    var model: VersionComparison {
        switch self {
        case .numeric: .numeric
        case .code: .code
        case .text: .text
        }
    }
}
