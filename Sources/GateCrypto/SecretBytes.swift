import CSodium
import Synchronization

/// Bytes of a secret that are overwritten when nobody has them any more. Shared, not copied; any thread.
///
/// What is read out of them inside ``withBytes(_:)`` must not leave it.
final class SecretBytes: Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: Mutex<[UInt8]>

    /// Takes the bytes over; the caller lets go of its own copy with ``wipe(_:)``.
    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    deinit { bytes.withLock { Self.wipe(&$0) } }

    func withBytes<Result>(_ body: ([UInt8]) -> sending Result) -> sending Result { bytes.withLock { body($0) } }

    /// Overwrites what an array holds, in a way that no optimiser leaves out, where nobody else has the same array.
    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) }
    }

    var description: String { "SecretBytes" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
