import GateAPI
import GateModel
import GateService
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How much processor time one account may use for work that changes nothing: questions (simulations, exports, searches of the history),
/// and plans, which is what dry runs and refused changes come to.
///
/// A connection belongs to one worker, and its requests wait for whatever that worker computes. Without a limit, somebody who may only look
/// delays a kill switch by seconds with simulations on a hundred connections, and so does an operator of one app with dry runs.
///
/// Each account has two token buckets, both filled with one second of processor time a second, so that callers who ask one after the other
/// never notice them: one of two seconds for questions and plans, and one of a second for plans alone, so that no question puts off a
/// change. Short plans, such as a kill switch, may overdraw the second bucket by another second: they are answered where a script of the
/// same person has emptied it. A change that is committed is charged to neither, because writes wait for each other already. Requests that
/// neither compute nor plan, such as the sign-in and the read of a target before a kill, are never refused here.
///
/// Only processor time counts, so that waiting for a lock or a database costs nothing. Thread-safe.
package final class ComputingShare: Sendable {
    /// What an account has left, and when that was.
    private struct Account {
        var questions: Duration
        var plans: Duration
        var at: ContinuousClock.Instant
    }

    /// What is worked out for a request.
    enum Work: Equatable {
        case question
        /// - Parameter isShort: whether the request is too short to name many targets.
        case plan(isShort: Bool)

        /// Nil for what takes no time worth counting.
        /// - Parameter size: of the body, in bytes.
        init?(_ endpoint: Endpoint, size: Int) {
            switch endpoint {
            case .simulate, .export, .listChanges, .listAudit: self = .question
            case .createApp, .editApp, .deleteApp, .putPlatform, .deletePlatform, .putOwnFeed, .deleteOwnFeed, .commitChange, .importFile,
                .apply, .createWindow, .replaceWindow, .cancelWindow, .runWindow:
                self = .plan(isShort: size <= ComputingShare.shortRequest)
            default: return nil
            }
        }
    }

    /// Up to how many bytes a body is short: a kill switch of all of an app's platforms with a message fits, twenty targets do not.
    static let shortRequest = 1_024

    /// What an account may plan beyond one processor's time at once, and how much more of short requests.
    private static let plansAtOnce: Duration = .seconds(1)

    private let most: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let spent: @Sendable () -> Duration
    private let accounts = Mutex<[String: Account]>([:])

    /// - Parameters:
    ///   - most: what an account's questions may use beyond one processor's time at once.
    ///   - now: the monotonic clock.
    ///   - spent: the processor's time of this thread.
    package init(
        most: Duration = .seconds(2),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        spent: @escaping @Sendable () -> Duration = { ComputingShare.ofThisThread() }
    ) {
        (self.most, self.now, self.spent) = (most, now, spent)
    }

    /// Does work for an account.
    /// - Parameter written: whether a change was committed; asked afterwards, and not when `answer` throws.
    /// - Throws: `too_much_at_once` (429) before anything is computed, with the seconds to wait.
    func answer<Value>(
        _ work: Work,
        for actor: Actor,
        unless written: @autoclosure () -> Bool,
        _ answer: () throws(ServiceError) -> Value
    ) throws(ServiceError) -> Value {
        let account = actor.account
        let left = take(.zero, of: work, from: account)
        let missing =
            switch work {
            case .question: .zero - left.questions
            case .plan(isShort: false): .zero - left.plans
            case .plan(isShort: true): .zero - left.plans - Self.plansAtOnce
            }
        guard missing <= .zero else { throw Self.refusal(after: missing) }
        let began = spent()
        // A handler notes that it writes before it does: whoever is overtaken in the end has written nothing.
        var isRefused = true
        defer {
            let took = spent() - began
            if isRefused || !written() { _ = take(took, of: work, from: account) }
        }
        let value = try answer()
        isRefused = false
        return value
    }

    /// - Returns: what the account has left.
    private func take(_ time: Duration, of work: Work, from account: String) -> (questions: Duration, plans: Duration) {
        let now = now()
        return accounts.withLock { accounts in
            // Forgetting them all gives everybody the most once.
            if accounts.count >= 2_000 { accounts = [:] }
            var known = accounts[account] ?? Account(questions: most, plans: Self.plansAtOnce, at: now)
            let passed = now - known.at
            // The time that has passed fills the bucket before what was used is taken out, so one piece of work that takes long leaves as
            // much as there was. The level has a lower limit: however much was begun at the same moment, nobody is locked out for long.
            known.questions = max(min(known.questions + passed - time, most), .zero - most)
            let planned = work == .question ? .zero : time
            known.plans = max(min(known.plans + passed - planned, Self.plansAtOnce), .zero - Self.plansAtOnce * 2)
            known.at = now
            accounts[account] = known
            return (known.questions, known.plans)
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
