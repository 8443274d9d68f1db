import CSodium

/// Authenticated encryption of bytes that belong in one place (libsodium's XChaCha20-Poly1305 with additional data): what was sealed for
/// one place cannot be opened for another. The key is overwritten when the last copy of the box is gone. Any thread.
package struct PlacedBox: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: SecretBytes

    /// - Precondition: the key has 32 bytes.
    init(key: [UInt8]) {
        precondition(key.count == Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES))
        self.key = SecretBytes(key)
    }

    /// Nonce and ciphertext; 40 bytes longer than `message`.
    /// - Parameter place: where the message belongs; it is not part of the sealed bytes, and must be the same for opening.
    package func seal(_ message: [UInt8], for place: [UInt8], random: RandomSource) -> [UInt8] {
        Sodium.ready
        // 192 random bits do not repeat; the C library offers that length for random nonces.
        let nonce = random.bytes(Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES))
        return key.withBytes { key in
            var sealed = [UInt8](repeating: 0, count: message.count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES))
            // Cannot fail: the C function always returns 0.
            _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                &sealed,
                nil,
                message,
                UInt64(message.count),
                place,
                UInt64(place.count),
                nil,
                nonce,
                key
            )
            return nonce + sealed
        }
    }

    /// The message, or nil when the bytes were not sealed with this key for that place.
    package func open(_ sealed: [UInt8], for place: [UInt8]) -> [UInt8]? {
        Sodium.ready
        let nonceCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
        let macCount = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
        guard sealed.count >= nonceCount + macCount else { return nil }
        let nonce = Array(sealed.prefix(nonceCount))
        let box = Array(sealed.dropFirst(nonceCount))
        return key.withBytes { key in
            var message = [UInt8](repeating: 0, count: box.count - macCount)
            guard
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    &message,
                    nil,
                    nil,
                    box,
                    UInt64(box.count),
                    place,
                    UInt64(place.count),
                    nonce,
                    key
                ) == 0
            else { return nil }
            return message
        }
    }

    package var description: String { "PlacedBox" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
