import CSodium
import Synchronization

/// Bytes of a secret, overwritten when the last reference to them is gone. Shared, not copied; any thread.
///
/// What is read from them inside ``withBytes(_:)`` must not leave it.
final class SecretBytes: Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: Mutex<[UInt8]>

    /// Takes over the bytes; the caller wipes its own copy with ``wipe(_:)``.
    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    deinit { bytes.withLock { Self.wipe(&$0) } }

    func withBytes<Result>(_ body: ([UInt8]) -> sending Result) -> sending Result { bytes.withLock { body($0) } }

    /// Overwrites an array's bytes in a way that no optimiser removes. Only works where nobody else shares the array's storage.
    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) }
    }

    var description: String { "SecretBytes" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
