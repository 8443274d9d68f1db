public import Foundation

/// Remembers until the process ends. For tests, and for apps that want nothing stored.
public final class InMemoryGateMemory: GateMemory, @unchecked Sendable {
    // Unchecked: every use of `values` holds the lock. `Synchronization.Mutex` needs macOS 15.
    private let lock = NSLock()
    private var values: [String: Data] = [:]

    public init() {}

    public func load(_ name: String) -> Data? {
        lock.lock()
        defer { lock.unlock() }
        return values[name]
    }

    public func save(_ value: Data, as name: String) {
        lock.lock()
        defer { lock.unlock() }
        values[name] = value
    }
}
