import Synchronization

/// Ends a connection's wait from another thread, whether it is connecting or running a statement: for whoever finds out that the server, or
/// the way to it, is gone before the call's own deadline passes. One serves several connections that follow each other, never two in use at
/// once.
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

    /// Ends a wait that has lasted longer than `limit`: the call throws ``PostgresError/Kind/connectionLost``, or
    /// ``PostgresError/Kind/unreachable`` while the connection is being made, and the connection is closed. Shorter waits, and waits for
    /// notifications, go on.
    package func end(longerThan limit: Duration) {
        state.withLock { state in
            guard let since = state.since, !state.isGivenUp, SuspendingClock.now - since > limit else { return }
            state.isGivenUp = true
            bell.ring()
        }
    }

    /// Whether the last wait was ended by ``end(longerThan:)``.
    package var wasEnded: Bool { state.withLock { $0.isGivenUp } }

    func begin() {
        state.withLock { state in
            // Left over from a wait that ended by itself just as it was given up.
            if state.isGivenUp { bell.hear() }
            state = State(since: .now)
        }
    }

    func isOver() { state.withLock { $0.since = nil } }
}
