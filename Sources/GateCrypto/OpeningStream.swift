import CSodium

/// Opens what a ``SealingStream`` has sealed, piece by piece. Not to be used from two threads at once.
package struct OpeningStream: Sendable {
    private var state: crypto_secretstream_xchacha20poly1305_state

    /// Nil when the stream was sealed to another key.
    package init?(_ key: OpeningKey, sealedKey: [UInt8], header: [UInt8]) {
        Sodium.ready
        let count = crypto_secretstream_xchacha20poly1305_keybytes()
        guard sealedKey.count == count + crypto_box_sealbytes(), header.count == SealingStream.headerByteCount else { return nil }
        var own = [UInt8](repeating: 0, count: count)
        guard crypto_box_seal_open(&own, sealedKey, UInt64(sealedKey.count), key.sealingKey.bytes, key.bytes) == 0 else { return nil }
        var state = crypto_secretstream_xchacha20poly1305_state()
        guard crypto_secretstream_xchacha20poly1305_init_pull(&state, header, own) == 0 else { return nil }
        self.state = state
    }

    /// The original piece, and whether it was the last; nil when `sealed` is not the next piece of the stream.
    package mutating func open(_ sealed: [UInt8]) -> (piece: [UInt8], isLast: Bool)? {
        guard sealed.count >= SealingStream.overhead else { return nil }
        var piece = [UInt8](repeating: 0, count: sealed.count - SealingStream.overhead)
        var tag: UInt8 = 0
        guard crypto_secretstream_xchacha20poly1305_pull(&state, &piece, nil, &tag, sealed, UInt64(sealed.count), nil, 0) == 0 else {
            return nil
        }
        return (piece, tag == crypto_secretstream_xchacha20poly1305_tag_final())
    }
}
