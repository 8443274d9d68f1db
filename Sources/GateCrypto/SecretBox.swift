import CSodium

/// Authenticated encryption under one key (libsodium's secretbox: XSalsa20 and Poly1305), for secrets that must be read again.
package struct SecretBox: Sendable {
    package static let keyByteCount = Int(crypto_secretbox_KEYBYTES)

    private let key: [UInt8]

    /// Nil unless there are exactly ``keyByteCount`` bytes.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        self.key = key
    }

    /// Nonce and ciphertext; 40 bytes longer than `message`.
    package func seal(_ message: [UInt8], random: RandomSource) -> [UInt8] {
        Sodium.ready
        // 192 random bits do not repeat; the C library offers that length for random nonces.
        let nonce = random.bytes(Int(crypto_secretbox_NONCEBYTES))
        var sealed = [UInt8](repeating: 0, count: message.count + Int(crypto_secretbox_MACBYTES))
        // Cannot fail: the C function always returns 0.
        _ = crypto_secretbox_easy(&sealed, message, UInt64(message.count), nonce, key)
        return nonce + sealed
    }

    /// The message, or nil when the bytes were not sealed with this key.
    package func open(_ sealed: [UInt8]) -> [UInt8]? {
        Sodium.ready
        let (nonceCount, macCount) = (Int(crypto_secretbox_NONCEBYTES), Int(crypto_secretbox_MACBYTES))
        guard sealed.count >= nonceCount + macCount else { return nil }
        let nonce = Array(sealed.prefix(nonceCount))
        let box = Array(sealed.dropFirst(nonceCount))
        var message = [UInt8](repeating: 0, count: box.count - macCount)
        guard crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, key) == 0 else { return nil }
        return message
    }
}

extension SecretBox: CustomStringConvertible, CustomReflectable {
    package var description: String { "SecretBox" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
