import GateAPI
import GateModel
import GateService
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How much of the workers' time one account may have for what is worked out: questions (simulations, exports, searches of the history), and
/// plans, which changes are made by and dry runs are all of.
///
/// A connection belongs to one worker, and whoever asks there waits for what is computed before: without a share, somebody who may only
/// look, and pipelines simulations on a hundred connections, delays a kill switch by seconds; so does an operator of one app with dry runs
/// about all of its targets. An account may use one processor all the time, which one caller after the other cannot exceed, and a little
/// more at once; only who asks for much at the same time is refused.
///
/// Plans take from the share of questions and have one of their own, so that no question puts off a change. Of that one the last second is
/// kept for short requests, such as a kill switch: they are answered where a script of the same person has used the rest up. A plan that
/// was carried out costs nothing, because writes wait for each other already; what remains are dry runs and what is refused. What else a kill
/// switch is begun with is never refused.
///
/// Time of the processor is counted, so that waiting for a lock or a database costs nobody anything. Thread-safe.
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
    /// - Parameter written: whether it was carried out; asked afterwards, of what was not refused.
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
            // What was used in the time that has passed was used of it, and not of what may be used at once: work that takes long by itself
            // leaves as much as there was. However much was begun at the same moment, nobody is locked out for long.
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
