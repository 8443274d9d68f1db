import GateAPI
import GateModel
import GateService
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How much of the workers' time one account may have for questions that are worked out: simulations, exports, searches of the history.
///
/// A connection belongs to one worker, and whoever asks there waits for what is computed before: without a share, somebody who may only
/// look, and pipelines simulations on a hundred connections, delays a kill switch by seconds. An account may use one processor all the
/// time, which one caller after the other cannot exceed, and a little more at once; only who asks for much at the same time is refused.
/// What changes something, what plans a change and what a kill switch is begun with are never refused for it.
///
/// Time of the processor is counted, so that waiting for a lock or a database costs nobody anything. Thread-safe.
package final class ComputingShare: Sendable {
    /// What an account has left, and when that was.
    private struct Account {
        var left: Duration
        var at: ContinuousClock.Instant
    }

    /// The operations that take from the share.
    static let operations: Set<Endpoint> = [.simulate, .export, .listChanges, .listAudit]

    private let most: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let spent: @Sendable () -> Duration
    private let accounts = Mutex<[String: Account]>([:])

    /// - Parameters:
    ///   - most: what an account may use beyond one processor's time at once.
    ///   - now: the monotonic clock.
    ///   - spent: the processor's time of this thread.
    package init(
        most: Duration = .seconds(2),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        spent: @escaping @Sendable () -> Duration = { ComputingShare.ofThisThread() }
    ) {
        (self.most, self.now, self.spent) = (most, now, spent)
    }

    /// Answers a question for an account.
    /// - Throws: `too_much_at_once` (429) before anything is computed, with the seconds to wait.
    func answer<Value>(for actor: Actor, _ work: () throws(ServiceError) -> Value) throws(ServiceError) -> Value {
        let account = actor.account
        let left = change(account, by: .zero)
        guard left >= .zero else { throw Self.refusal(after: .zero - left) }
        let began = spent()
        defer { _ = change(account, by: began - spent()) }
        return try work()
    }

    /// - Returns: what the account has left.
    private func change(_ account: String, by difference: Duration) -> Duration {
        let now = now()
        return accounts.withLock { accounts in
            // Forgetting them all gives everybody the most once.
            if accounts.count >= 2_000 { accounts = [:] }
            let known = accounts[account] ?? Account(left: most, at: now)
            let left = min(known.left + (now - known.at), most)
            // Many questions that were begun at the same moment do not lock anybody out for long.
            let new = max(left + difference, .zero - most)
            accounts[account] = Account(left: new, at: now)
            return new
        }
    }

    private static func refusal(after wait: Duration) -> ServiceError {
        let (whole, rest) = wait.components
        let seconds = max(1, Int(whole) + (rest > 0 ? 1 : 0))
        return ServiceError(
            .tooMany,
            "too_much_at_once",
            "You ask the server for more at the same time than one person may; try again in \(seconds) s, or ask for one thing after the other.",
            retryAfter: seconds
        )
    }

    package static func ofThisThread() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
