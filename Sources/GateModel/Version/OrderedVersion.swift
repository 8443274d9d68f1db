/// A version of a platform, read by its scheme: it is compared with others as ``VersionScheme/isOlder(_:than:)`` compares their texts.
package enum OrderedVersion: Sendable, Hashable, Comparable {
    case dotted(AppVersion)
    case code(VersionCode)

    /// Nil for what is no version of the scheme.
    package init?(_ text: String, _ scheme: VersionScheme) {
        switch scheme {
        case .dotted:
            guard let version = AppVersion(text) else { return nil }
            self = .dotted(version)
        case .code:
            guard let version = VersionCode(text) else { return nil }
            self = .code(version)
        }
    }

    package static func < (one: OrderedVersion, other: OrderedVersion) -> Bool {
        switch (one, other) {
        case (.dotted(let one), .dotted(let other)): one < other
        case (.code(let one), .code(let other)): one < other
        // Of two platforms; never compared.
        case (.dotted, .code), (.code, .dotted): false
        }
    }
}
