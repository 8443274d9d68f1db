import Synchronization

/// The lock that everything takes which alters gates, apps or windows, one after the other, with what only its holder may have; it tells how
/// long it was held.
///
/// Whoever holds it keeps every other writer waiting, a kill at three in the morning too. What needs no more than a copy of the catalog is
/// done before it is taken.
final class WritersLock<Guarded: ~Copyable & Sendable>: Sendable {
    private let mutex: Mutex<Guarded>
    /// In a structure, because a closure that is a `Mutex`'s own value gets a wrapper around it each time it is looked at: a call of one that
    /// was looked at a thousand times goes through a thousand of them.
    private struct Observer: Sendable {
        var tell: (@Sendable (Duration) -> Void)?
    }

    private let observer = Mutex(Observer())

    init(_ guarded: consuming sending Guarded) { mutex = Mutex(guarded) }

    /// Calls `observer` after each hold with how long it was, on the thread that held it; not with the time spent waiting for it.
    func observe(_ observer: @escaping @Sendable (Duration) -> Void) { self.observer.withLock { $0.tell = observer } }

    /// Waits until nobody holds it, and keeps nobody waiting: for work that can be put off.
    func wait() { mutex.withLock { _ in } }

    func withLock<Value, Failure: Error>(_ body: (borrowing Guarded) throws(Failure) -> Value) throws(Failure) -> Value {
        var held = Duration.zero
        defer { observer.withLock { $0.tell }?(held) }
        return try mutex.withLock { guarded throws(Failure) in
            let begun = ContinuousClock.now
            defer { held = ContinuousClock.now - begun }
            return try body(guarded)
        }
    }
}
