/// A version, read once for being compared with others: as ``VersionComparison/isOlder(_:than:)`` compares their texts.
package enum OrderedVersion: Sendable, Hashable, Comparable {
    case dotted(AppVersion)
    case code(VersionCode)
    case text(String)

    /// Nil for what is no version of the scheme.
    package init?(_ text: String, _ scheme: VersionScheme) { self.init(text, scheme.comparison) }

    /// Nil for what is no version to this comparison.
    package init?(_ text: String, _ comparison: VersionComparison) {
        switch comparison {
        case .numeric:
            guard let version = AppVersion(text) else { return nil }
            self = .dotted(version)
        case .code:
            guard let version = VersionCode(text) else { return nil }
            self = .code(version)
        case .text:
            guard !text.isEmpty else { return nil }
            self = .text(text)
        }
    }

    package static func < (one: OrderedVersion, other: OrderedVersion) -> Bool {
        switch (one, other) {
        case (.dotted(let one), .dotted(let other)): one < other
        case (.code(let one), .code(let other)): one < other
        case (.text(let one), .text(let other)): one < other
        // Of two platforms; never compared.
        case (.dotted, _), (.code, _), (.text, _): false
        }
    }
}
