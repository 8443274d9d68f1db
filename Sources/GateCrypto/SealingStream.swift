import CSodium

/// Encrypts data that arrives in pieces, for the owner of a ``SealingKey``. The stream has a key of its own (libsodium's secretstream,
/// XChaCha20 and Poly1305), which is sealed to the ``SealingKey`` (sealed box). ``OpeningStream`` notices pieces that were altered, left
/// out, cut off or moved.
///
/// A value: a copy seals the same pieces to the same bytes. Not to be used from two threads at once.
package struct SealingStream: Sendable {
    /// The stream's own key, sealed for the reader.
    package let sealedKey: [UInt8]
    /// Goes before the first piece.
    package let header: [UInt8]
    private var state: crypto_secretstream_xchacha20poly1305_state

    /// Bytes of ``header``.
    package static let headerByteCount = crypto_secretstream_xchacha20poly1305_headerbytes()
    /// Bytes by which a sealed piece is longer than the piece.
    package static let overhead = crypto_secretstream_xchacha20poly1305_abytes()

    package init(to key: SealingKey, random: RandomSource) {
        Sodium.ready
        let own = random.bytes(crypto_secretstream_xchacha20poly1305_keybytes())
        var sealed = [UInt8](repeating: 0, count: own.count + crypto_box_sealbytes())
        // Fails only for a key that belongs to no pair; nobody could then open what is sealed.
        _ = crypto_box_seal(&sealed, own, UInt64(own.count), key.bytes)
        var state = crypto_secretstream_xchacha20poly1305_state()
        var header = [UInt8](repeating: 0, count: Self.headerByteCount)
        // Cannot fail: the C function always returns 0.
        _ = crypto_secretstream_xchacha20poly1305_init_push(&state, &header, own)
        (self.sealedKey, self.header, self.state) = (sealed, header, state)
    }

    package mutating func seal(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: piece.count + Self.overhead)
        let tag = isLast ? crypto_secretstream_xchacha20poly1305_tag_final() : crypto_secretstream_xchacha20poly1305_tag_message()
        // As above.
        _ = crypto_secretstream_xchacha20poly1305_push(&state, &sealed, nil, piece, UInt64(piece.count), nil, 0, tag)
        return sealed
    }
}
