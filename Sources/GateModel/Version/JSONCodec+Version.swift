package import GateJSON

extension JSONSchema {
    /// A version of either scheme.
    package static let version = string(VersionScheme.lengths)
}

extension JSONCodec where Value == String {
    /// A version of either scheme; the platform's own is looked at when it is known.
    package static var version: JSONCodec { string(VersionScheme.lengths) }
}
