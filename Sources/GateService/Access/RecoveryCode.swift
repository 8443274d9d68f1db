import GateCrypto

/// A code that opens an account once, in place of an authenticator's code: 120 random bits, so that its plain digest cannot be guessed
/// (ASVS 5.0 section 6.5 asks for 112).
struct RecoveryCode {
    /// Six groups of four letters and digits: `abcd-efgh-ijkl-mnop-qrst-uvwx`.
    let text: String
    let digest: SHA256Digest

    /// How many a person gets.
    static let count = 10
    private static let byteCount = 15
    private static let length = 24

    init(random: RandomSource) {
        let bare = Base32.encode(random.bytes(Self.byteCount)).lowercased()
        text = stride(from: 0, to: Self.length, by: 4).map { bare.dropFirst($0).prefix(4) }.joined(separator: "-")
        digest = SHA256Digest(of: bare)
    }

    /// What was typed as a code, a recovery code or an authenticator's, without blanks and hyphens: both are shown in groups, and people
    /// type them as they see them. Nil when nothing is left.
    static func bare(_ typed: String?) -> String? {
        let bare = (typed ?? "").filter { $0 != " " && $0 != "-" }
        return bare.isEmpty ? nil : bare
    }

    /// The digest of a code as it was typed, without its hyphens; nil for text that cannot be one, such as six digits.
    static func digest(of bare: String) -> SHA256Digest? { bare.utf8.count == length ? SHA256Digest(of: bare.lowercased()) : nil }
}
