package import GateJSON

extension JSONSchema {
    /// A version of either scheme.
    package static let version = string(VersionScheme.lengths, pattern: VersionScheme.pattern)
}
