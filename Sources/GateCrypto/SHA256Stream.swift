import CSodium

/// The SHA-256 digest of data that arrives in pieces, such as files too long to hold in memory.
///
/// A value: a copy continues independently. Not to be used from two threads at once.
package struct SHA256Stream: Sendable {
    private var state: crypto_hash_sha256_state

    package init() {
        Sodium.ready
        var state = crypto_hash_sha256_state()
        // Cannot fail: the C function always returns 0.
        _ = crypto_hash_sha256_init(&state)
        self.state = state
    }

    package mutating func append(_ piece: ArraySlice<UInt8>) {
        piece.withUnsafeBufferPointer { _ = crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count)) }
    }

    /// The digest of everything appended so far; more may be appended afterwards.
    package var digest: SHA256Digest {
        var state = state
        var bytes = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
        _ = crypto_hash_sha256_final(&state, &bytes)
        guard let digest = SHA256Digest(bytes: bytes) else { preconditionFailure("A SHA-256 digest has \(SHA256Digest.byteCount) bytes.") }
        return digest
    }
}
