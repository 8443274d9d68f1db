import CSodium

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A password hashed with argon2id (RFC 9106): algorithm, costs, salt and hash in one text, `$argon2id$v=19$m=65536,t=2,p=1$…`.
///
/// Making and verifying one takes the memory and the time of its ``Cost``; the caller bounds how many run at once.
package struct PasswordHash: Sendable, Hashable {
    /// What a hash costs to make, and therefore to guess.
    package struct Cost: Sendable, Hashable {
        /// Passes over the memory, at least 1.
        package let operations: UInt64
        /// At least 8192.
        package let memoryBytes: Int

        package init(operations: UInt64, memoryBytes: Int) {
            self.operations = operations
            self.memoryBytes = memoryBytes
        }

        /// 2 passes over 64 MiB: above OWASP's minimum of 2 over 19 MiB and the ASVS's 1 over 46 MiB; libsodium's own "interactive" cost.
        package static let standard = Cost(operations: 2, memoryBytes: 67_108_864)

        /// The least that the library accepts; for tests only, as it does not slow guessing down.
        package static let least = Cost(operations: 1, memoryBytes: 8_192)
    }

    /// What is stored. Not the password itself, but the password can be guessed from it: kept out of logs.
    package let text: String

    /// A hash that was stored.
    package init(stored text: String) { self.text = text }

    /// Stored for somebody who has no password yet. No password matches it.
    package static let missing = PasswordHash(stored: "")

    /// Hashes the password's exact UTF-8 bytes with a fresh salt.
    /// - Throws: ``CryptoError/Code/outOfMemory``.
    package init(of password: String, cost: Cost = .standard) throws(CryptoError) {
        Sodium.ready
        let password = password.utf8.map(CChar.init(bitPattern:))
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        guard crypto_pwhash_str(&text, password, UInt64(password.count), cost.operations, cost.memoryBytes) == 0 else {
            throw .noMemory(cost.memoryBytes)
        }
        self.text = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether `password` is the right one, compared in constant time. Also false when the stored text is not a hash.
    /// - Throws: ``CryptoError/Code/outOfMemory``: whether the password is right is then unknown.
    package func verifies(_ password: String) throws(CryptoError) -> Bool {
        Sodium.ready
        let password = password.utf8.map(CChar.init(bitPattern:))
        guard let stored = storedBytes else { return false }
        // A hash that this program made is computed again and compared here: the library's own comparison gives the same answer for a wrong
        // password and for lack of memory.
        guard let parts = Parts(text) else { return crypto_pwhash_str_verify(stored, password, UInt64(password.count)) == 0 }
        var hash = [UInt8](repeating: 0, count: parts.hash.count)
        errno = 0
        let result = crypto_pwhash(
            &hash,
            UInt64(hash.count),
            password,
            UInt64(password.count),
            parts.salt,
            parts.operations,
            parts.memoryBytes,
            crypto_pwhash_ALG_ARGON2ID13
        )
        if result != 0, errno == ENOMEM { throw .noMemory(parts.memoryBytes) }
        return result == 0 && sodium_memcmp(hash, parts.hash, hash.count) == 0
    }

    /// Whether the hash was made with less memory or fewer passes than `cost`, or is not a hash: guessing it is cheaper than it should be,
    /// and the next sign-in replaces it. Lowering the cost does not weaken existing hashes.
    package func needsRehash(cost: Cost = .standard) -> Bool {
        // `$argon2id$v=19$m=65536,t=2,p=1$salt$hash`, memory in KiB.
        let parts = text.split(separator: "$")
        guard parts.count == 5, parts[0] == "argon2id" else { return true }
        let costs = parts[2].split(separator: ",").map { $0.split(separator: "=") }
        func value(_ name: String) -> Int? { costs.first { $0.first == name[...] }.flatMap { $0.last }.flatMap { Int($0) } }
        guard let memory = value("m"), let passes = value("t") else { return true }
        return memory < cost.memoryBytes / 1024 || passes < Int(clamping: cost.operations)
    }

    /// The text in the form the C functions expect: they read up to `crypto_pwhash_STRBYTES` bytes and look for the final NUL among them.
    private var storedBytes: [CChar]? {
        let size = Int(crypto_pwhash_STRBYTES)
        let bytes = text.utf8.map(CChar.init(bitPattern:))
        guard bytes.count < size, !bytes.contains(0) else { return nil }
        return bytes + [CChar](repeating: 0, count: size - bytes.count)
    }
}

/// The parts of a hash that has the form this program makes: one lane, a salt of 16 bytes, 32 bytes of hash.
private struct Parts {
    let operations: UInt64
    let memoryBytes: Int
    let salt: [UInt8]
    let hash: [UInt8]

    init?(_ text: String) {
        guard
            let match = text.wholeMatch(
                of: /\$argon2id\$v=19\$m=([0-9]{1,10}),t=([0-9]{1,10}),p=1\$([A-Za-z0-9+\/]{22})\$([A-Za-z0-9+\/]{43})/
            ),
            let memory = Int(match.1), let operations = UInt64(match.2), let salt = Self.bytes(match.3, count: 16),
            let hash = Self.bytes(match.4, count: 32)
        else { return nil }
        (self.operations, memoryBytes, self.salt, self.hash) = (operations, memory * 1_024, salt, hash)
    }

    /// Base64 without its padding.
    private static func bytes(_ text: Substring, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var length = 0
        let result = sodium_base642bin(
            &bytes,
            count,
            String(text),
            text.utf8.count,
            nil,
            &length,
            nil,
            sodium_base64_VARIANT_ORIGINAL_NO_PADDING
        )
        return result == 0 && length == count ? bytes : nil
    }
}

extension CryptoError {
    fileprivate static func noMemory(_ bytes: Int) -> CryptoError {
        CryptoError(
            .outOfMemory,
            "A password could not be hashed: it needs \(bytes / 1_048_576) MiB of memory, which are not available. Give the server more memory."
        )
    }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "PasswordHash(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
