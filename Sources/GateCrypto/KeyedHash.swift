import CSodium

/// Keyed hashes (BLAKE2b with a key, libsodium's generichash), 32 bytes: without the key nobody can make one, or alter the message
/// unnoticed.
package struct KeyedHash: Sendable {
    package static let keyByteCount = 32
    package static let byteCount = 32

    private let key: [UInt8]

    /// Nil unless there are exactly ``keyByteCount`` bytes.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        self.key = key
    }

    /// Always ``byteCount`` bytes.
    package func hash(of message: [UInt8]) -> [UInt8] {
        Sodium.ready
        var hash = [UInt8](repeating: 0, count: Self.byteCount)
        // Fails only for lengths that the C library does not support; it supports these.
        _ = crypto_generichash(&hash, hash.count, message, UInt64(message.count), key, key.count)
        return hash
    }

    /// Whether `hash` is that of the message; the time it takes reveals nothing about the right one.
    package func matches(_ hash: [UInt8], _ message: [UInt8]) -> Bool { ConstantTime.equal(hash, self.hash(of: message)) }
}

extension KeyedHash: CustomStringConvertible, CustomReflectable {
    package var description: String { "KeyedHash" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
