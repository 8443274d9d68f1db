import CSodium

/// Where unguessable bytes come from. Passed in wherever a secret is made, so that tests can predict it.
package struct RandomSource: Sendable {
    private let make: @Sendable (_ count: Int) -> [UInt8]

    /// - Parameter make: returns exactly as many bytes as asked for; called on any thread, by several at once.
    package init(_ make: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.make = make }

    /// The machine's cryptographic randomness (`randombytes_buf`: getrandom(2) on Linux).
    package static let system = RandomSource { count in
        Sodium.ready
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// - Precondition: `count` is not negative.
    package func bytes(_ count: Int) -> [UInt8] {
        let bytes = make(count)
        precondition(bytes.count == count, "A random source gave \(bytes.count) bytes where \(count) were asked for.")
        return bytes
    }

    /// A secret of that many random bytes as ``Base64URL`` text; 32 bytes make 43 characters.
    package func secret(byteCount: Int = 32) -> String { Base64URL.encode(bytes(byteCount)) }
}
