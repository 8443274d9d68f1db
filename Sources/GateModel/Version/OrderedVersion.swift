/// A version parsed once for many comparisons; the result is that of ``VersionComparison/isOlder(_:than:)`` for the texts.
package enum OrderedVersion: Sendable, Hashable, Comparable {
    case dotted(AppVersion)
    case code(VersionCode)
    case text(String)

    /// Nil for a text that is not a version of the scheme.
    package init?(_ text: String, _ scheme: VersionScheme) { self.init(text, scheme.comparison) }

    /// Nil for a text that is not a version to this comparison.
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
        // Versions of two platforms, which are never compared.
        case (.dotted, _), (.code, _), (.text, _): false
        }
    }
}
