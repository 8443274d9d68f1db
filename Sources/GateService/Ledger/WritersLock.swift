import GateStore
import Synchronization

/// The lock for everything that changes gates, apps or windows: one writer at a time. It guards a value that only its holder may have, and
/// reports how long it was held.
///
/// Its holder keeps every other writer waiting, even a kill at three in the morning. So work that needs only a copy of the catalog is done
/// before it is taken.
final class WritersLock<Guarded: ~Copyable & Sendable>: Sendable {
    private let line = TimedLock()
    /// Never waited for: only whoever has the line takes it.
    private let mutex: Mutex<Guarded>
    /// A structure around the closure, because a closure that is a `Mutex`'s direct value gets another wrapper each time it is read: after
    /// a thousand reads, a call goes through a thousand wrappers.
    private struct Observer: Sendable {
        var tell: (@Sendable (Duration) -> Void)?
    }

    private let observer = Mutex(Observer())

    init(_ guarded: consuming sending Guarded) { mutex = Mutex(guarded) }

    /// Calls `observer` after each hold with how long it was, on the thread that held it; not with the time spent waiting for it.
    func observe(_ observer: @escaping @Sendable (Duration) -> Void) { self.observer.withLock { $0.tell = observer } }

    /// Waits until nobody holds the lock, without keeping anybody waiting: for work that can be put off.
    func wait() { line.withLock {} }

    /// For how long somebody has had it; zero when it is free.
    var heldFor: Duration { line.heldFor }

    func withLock<Value, Failure: Error>(_ body: (borrowing Guarded) throws(Failure) -> Value) throws(Failure) -> Value {
        try line.withLock { () throws(Failure) in try hold(body) }
    }

    /// - Parameter patience: how long to wait; only a few wait so long for a slow holder (``TimedLock``).
    /// - Returns: nil when the wait was over, and `body` was not called.
    func withLock<Value, Failure: Error>(patience: Duration, _ body: (borrowing Guarded) throws(Failure) -> Value) throws(Failure)
        -> Value?
    {
        try line.withLock(patience: patience) { () throws(Failure) in try hold(body) }
    }

    private func hold<Value, Failure: Error>(_ body: (borrowing Guarded) throws(Failure) -> Value) throws(Failure) -> Value {
        var held = Duration.zero
        defer { observer.withLock { $0.tell }?(held) }
        return try mutex.withLock { guarded throws(Failure) in
            let begun = ContinuousClock.now
            defer { held = ContinuousClock.now - begun }
            return try body(guarded)
        }
    }
}
