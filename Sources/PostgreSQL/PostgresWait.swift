import Synchronization

/// What connections wait for with the server, made or under way, and the way to end it from elsewhere: for whoever learns that the server, or
/// the way to it, is gone before a call's own deadline says so. One for connections that follow each other and are never used at once.
///
/// Thread rule: any thread.
package final class PostgresWait: Sendable {
    private struct State {
        var since: SuspendingClock.Instant?
        var isGivenUp = false
    }

    let bell: Bell
    private let state = Mutex(State())

    /// - Throws: ``PostgresError/Kind/outOfResources`` when the process may not open two more files.
    package init() throws(PostgresError) { bell = try Bell() }

    /// Ends what is waited for longer than that: the call throws ``PostgresError/Kind/connectionLost``, or ``PostgresError/Kind/unreachable``
    /// while the connection is being made, and the connection is closed. Who has waited for less, and who waits for notifications, goes on.
    package func end(longerThan limit: Duration) {
        state.withLock { state in
            guard let since = state.since, !state.isGivenUp, SuspendingClock.now - since > limit else { return }
            state.isGivenUp = true
            bell.ring()
        }
    }

    func begin() {
        state.withLock { state in
            // Of a wait that came to its end by itself as it was given up.
            if state.isGivenUp { bell.hear() }
            state = State(since: .now)
        }
    }

    func isOver() { state.withLock { $0.since = nil } }
}
