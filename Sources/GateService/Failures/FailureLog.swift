package import GateJSON
import GateModel
package import GateStore
import Synchronization

/// The one place where the service reports disk and database failures. The program that wires it up writes the log lines.
///
/// A failed request is reported once, by whoever answers it: the cause travels up as ``ServiceError/underlying``. Work that is retried
/// every second, such as the housekeeper's on a full disk, is reported when it begins to fail and when it works again. However often
/// something fails, the number of lines a minute is bounded: the log is often on the disk that is full.
///
/// Thread-safe.
package final class FailureLog: Sendable {
    /// A chore's run of failures.
    private struct Episode: Sendable {
        let since: Timestamp
        var tries: Int
        /// What was reported last; ``toldAt`` says when.
        var told: Failure
        var toldAt: Timestamp
    }

    /// Failures of one kind within the minute that began at `begun`.
    private struct Minute: Sendable {
        let begun: Timestamp
        var count: Int
        var last: Failure
    }

    private struct State: Sendable {
        var episodes: [Chore: Episode] = [:]
        var minutes: [Failure.Kind: Minute] = [:]
    }

    private let now: @Sendable () -> Timestamp
    private let line: @Sendable (Failure) -> Void
    private let state = Mutex(State())

    /// One minute in milliseconds.
    private static let minute: Int64 = 60_000
    /// Most lines a minute for requests that fail in the same way; further ones are only counted.
    package static let linesPerMinute = 60

    /// - Parameter line: writes a failure to the log. Called on the thread that failed, never under a lock of this class; must be quick.
    package init(now: @escaping @Sendable () -> Timestamp, line: @escaping @Sendable (Failure) -> Void) {
        self.now = now
        self.line = line
    }

    /// Reports nothing: for programs that tell the person waiting for them what failed.
    package static let none = FailureLog(now: { .now }, line: { _ in })

    // MARK: Requests

    /// Reports why a request failed; does nothing for a refusal, which is an answer and not a failure.
    /// - Parameters:
    ///   - endpoint: as the table of routes names it.
    ///   - caller: nil when the request failed before anybody was recognised.
    package func tell(_ error: ServiceError, requestId: String, endpoint: String, by caller: Caller?) {
        guard let underlying = error.underlying else { return }
        var failure = Failure(underlying, doing: endpoint, requestId: requestId)
        failure.endpoint = endpoint
        failure.problem = error.word
        failure.actor = caller?.actor
        failure.target = error.target
        let now = now()
        let isTold = state.withLock { state in
            let before = state.minutes[failure.kind].flatMap { isOver($0.begun, at: now) ? nil : $0 }
            let count = (before?.count ?? 0) + 1
            state.minutes[failure.kind] = Minute(begun: before?.begun ?? now, count: count, last: failure)
            return count <= Self.linesPerMinute
        }
        if isTold { line(failure) }
    }

    /// Reports how many failures in past minutes got no line of their own. To be called about once a second.
    package func settle() {
        let now = now()
        let over = state.withLock { state in
            let over = state.minutes.filter { isOver($0.value.begun, at: now) }
            for kind in over.keys { state.minutes[kind] = nil }
            return over.values.filter { $0.count > Self.linesPerMinute }
        }
        for minute in over { line(minute.last.at(.more(minute.count - Self.linesPerMinute))) }
    }

    // MARK: Chores

    /// A chore was refused, or failed; if something failed, it is reported as ``failed(_:_:requestId:)-(_,StoreError,_)`` does.
    package func failed(_ chore: Chore, _ error: ServiceError, requestId: String? = nil) {
        if let underlying = error.underlying { failed(chore, because: underlying, requestId: requestId) }
    }

    /// A chore failed. Reported the first time, and then at most once a minute when the cause is not the one last reported.
    /// - Parameter requestId: of the request that the chore belongs to; nil for the server's own work.
    package func failed(_ chore: Chore, _ error: StoreError, requestId: String? = nil) {
        failed(chore, because: error, requestId: requestId)
    }

    private func failed(_ chore: Chore, because error: any Error, requestId: String?) {
        let now = now()
        var failure = Failure(error, stage: .began, doing: chore.operation, requestId: requestId ?? chore.doer)
        failure.target = chore.target
        let isTold = state.withLock { [failure] state in
            guard var episode = state.episodes[chore] else {
                state.episodes[chore] = Episode(since: now, tries: 1, told: failure, toldAt: now)
                return true
            }
            episode.tries += 1
            let isNews = episode.told.kind != failure.kind && isOver(episode.toldAt, at: now)
            if isNews { (episode.told, episode.toldAt) = (failure, now) }
            state.episodes[chore] = episode
            return isNews
        }
        if isTold { line(failure) }
    }

    /// A chore was done; reported if it had failed before. Cheap, so call it every time.
    package func worked(_ chore: Chore) {
        guard let episode = state.withLock({ $0.episodes.removeValue(forKey: chore) }) else { return }
        end(episode)
    }

    /// All chores of a doer work again: what could not be done has been done, or is no longer needed.
    package func allWorked(by doer: String) {
        let ended = state.withLock { state in
            let ended = state.episodes.filter { $0.key.doer == doer }
            for chore in ended.keys { state.episodes[chore] = nil }
            return ended
        }
        for episode in ended.values { end(episode) }
    }

    private func end(_ episode: Episode) {
        let seconds = max(0, now().milliseconds - episode.since.milliseconds) / 1_000
        line(episode.told.at(.ended(tries: episode.tries, seconds: seconds)))
    }

    /// Whether a minute has passed. A clock that was put back must not silence anything for longer.
    private func isOver(_ begun: Timestamp, at now: Timestamp) -> Bool { abs(now.milliseconds - begun.milliseconds) >= Self.minute }
}
