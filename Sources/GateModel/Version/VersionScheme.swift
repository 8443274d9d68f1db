public import GateJSON

/// How a platform's versions are spelled and ordered.
public enum VersionScheme: String, Sendable, Hashable, CaseIterable {
    /// `4.2.0`: one to four numbers.
    case dotted
    /// `41`: Android's version code, 1 to 2147483647.
    case code

    /// The most numbers with dots between in a version of either scheme.
    public static let mostComponents = 4
    /// Length in ASCII characters of a version of either scheme.
    public static let lengths = 1...64
    /// An ECMA 262 expression for every version of either scheme; a code consists of one number.
    public static let pattern = "^(?:0|[1-9][0-9]*)(?:[.](?:0|[1-9][0-9]*)){0,3}$"

    /// Whether `text` may be published as a version of this scheme.
    ///
    /// Stricter than what clients read: one spelling per version, because clients remember versions by their text, and nothing that crashes
    /// a released client (wire formats 6.1 items 11, 19 and 20; Gandalf up to 1.4.0 crashes at every launch on a dotted version code).
    public func accepts(_ text: String) -> Bool {
        switch self {
        case .dotted:
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return (1...Self.mostComponents).contains(parts.count) && parts.allSatisfy { Self.isPlainNumber($0) }
                && text.utf8.count <= Self.lengths.upperBound
        case .code:
            guard Self.isPlainNumber(Substring(text)), text.utf8.count <= 10, let code = Int(text) else { return false }
            return (1...2_147_483_647).contains(code)
        }
    }

    /// - Throws: `invalid_version` (422), with a description of the accepted form.
    public func validate(_ text: String, field: String) throws(ModelError) {
        guard !accepts(text) else { return }
        let shown = JSONValue.quoted(text)
        switch self {
        case .dotted:
            throw .invalid(
                "invalid_version",
                "\(shown) is no version here: use one to four numbers with dots between, such as \"4.2.0\", without leading zeros, letters or spaces.",
                field: field
            )
        case .code:
            throw .invalid(
                "invalid_version",
                "\(shown) is no version code: use a whole number from 1 to 2147483647, such as \"41\". Released Gandalf clients crash on anything else.",
                field: field
            )
        }
    }

    /// Whether `one` is older than `other`; false when either is no version.
    public func isOlder(_ one: String, than other: String) -> Bool { comparison.isOlder(one, than: other) }

    /// The newest of `versions`, or nil if there are none.
    public func newest(of versions: [String]) -> String? {
        versions.max { isOlder($0, than: $1) }
    }

    private static func isPlainNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIIDigit } && (text.utf8.count == 1 || text.first != "0")
    }
}
