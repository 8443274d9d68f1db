import GateCrypto

/// The text of an API token: `gate_`, 8 characters of public id, `_`, 43 of secret, 6 of checksum.
///
/// The fixed prefix and the checksum let secret scanners find tokens without guessing. Only the secret's digest is stored; 256 random bits
/// need no slow hash.
struct TokenText {
    let id: String
    let text: String
    let secretDigest: SHA256Digest

    /// A new token.
    init(random: RandomSource) {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
        id = String(random.bytes(8).map { alphabet[Int($0) % alphabet.count] })
        let body = "gate_\(id)_\(random.secret())"
        text = body + Self.checksum(of: body)
        secretDigest = SHA256Digest(of: Array(body.utf8))
    }

    /// A token that somebody sent; nil for text that cannot be one, found without asking the database.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 63, text.hasPrefix("gate_"), bytes[13] == UInt8(ascii: "_") else { return nil }
        let body = String(decoding: bytes.prefix(57), as: UTF8.self)
        guard ConstantTime.equal(Self.checksum(of: body), String(decoding: bytes.suffix(6), as: UTF8.self)) else { return nil }
        id = String(decoding: bytes[5..<13], as: UTF8.self)
        self.text = text
        secretDigest = SHA256Digest(of: Array(body.utf8))
    }

    private static func checksum(of body: String) -> String {
        SHA256Digest(of: Array(body.utf8)).hexadecimal(ofFirst: 3)
    }
}
