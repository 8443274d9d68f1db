import Dispatch
import Synchronization
import Testing

/// What blocks, on a thread of its own that starts at once. (A task would wait for a thread of those that the tests have, and block that.)
final class Background<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        DispatchQueue(label: "background").async { [self] in
            let outcome = Result { try body() }
            result.withLock { $0 = outcome }
            isDone.signal()
        }
    }

    /// Waits for the end, for longer than any of the bodies may take. Once.
    func value() throws -> Value? {
        try #require(isDone.wait(timeout: .now() + 110) == .success)
        return try result.withLock { $0 }?.get()
    }
}

/// What a body throws; nil when it does not.
func thrown<Value, Failure>(_ body: () throws(Failure) -> Value) -> Failure? {
    do throws(Failure) {
        _ = try body()
        return nil
    } catch { return error }
}
