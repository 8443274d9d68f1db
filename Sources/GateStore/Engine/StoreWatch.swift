import Dispatch
package import GateJSON
package import GateModel
import PostgreSQL
import Synchronization

/// Tells a server as soon as another one has written to their shared database, and decides which of them has the clock's duty.
///
/// A session of its own listens (``channel``): every commit notifies, and `look` is called within milliseconds. `look` is also called once
/// a second, session or not, so nothing depends on a notification. If the session is lost, opening a new one is tried four times a second
/// for as long as it takes.
///
/// The duty is a database lock that this session holds (``DutyLock``): it is lost with the session at once, every server without it asks
/// for it each second, and whoever is less fit for it than another server leaves it to that one. A process that stands still, whose system
/// still answers for it, must not keep the clock's work from everybody: the database ends a session that asks nothing for
/// ``longestPause``. The duty only keeps servers from doing the same work at the same time; correctness does not depend on it, since the
/// database refuses what is written twice.
///
/// Thread-safe. `look` is called on a thread of its own and may take its time: notifications that arrive meanwhile lead to one more call
/// afterwards. The other closures are called on a second thread and must not wait for anything.
package final class StoreWatch: Sendable {
    /// The channel that every committed change, and every window that was written, is notified on.
    static let channel = "gatehouse"

    private struct State {
        /// Used by the watch's own thread; others only end its wait.
        var connection: PostgresConnection?
        var hasDuty = false
        /// When it was last decided who has the duty, by the clock that was judged then and by one that nobody sets.
        var judged: (by: Timestamp, at: ContinuousClock.Instant)?
        var roster: StoreRoster
        var servers: [SharedServer] = []
        var isStopping = false
    }

    private let server: DatabaseServer
    private let look: @Sendable () -> Void
    private let fitness: @Sendable () -> DutyFitness
    private let dutyBegan: @Sendable () -> Void
    private let dutyLeft: @Sendable () -> Void
    private let noAnswer: @Sendable () -> Void
    private let heardAgain: @Sendable () -> Void
    private let cannotWrite: @Sendable () -> Void
    private let clock: @Sendable () -> Timestamp
    private let clockLeads: @Sendable (_ seconds: Int) -> Void
    private let sequence: @Sendable () -> Int
    private let state: Mutex<State>
    /// Pauses between two sessions.
    private let sessions = PausingThread("watch")
    /// Pauses until a notification arrives. On a thread of its own: `look` may wait for a server that has fallen silent, which the session
    /// notices sooner.
    private let looks = PausingThread("news")

    /// How often to look, whether or not anything is notified.
    private static let interval = DispatchTimeInterval.seconds(1)
    /// How long a session may say nothing, though it asks the database each second; not in PostgreSQL 13, which has no such limit.
    private static let longestPause = "2s"
    /// By how many milliseconds a clock may be set without being compared first: those who keep it set it by less.
    private static let mostSet = 5_000.0
    /// The pause between attempts to open a session.
    private static let rest = DispatchTimeInterval.milliseconds(250)

    /// Starts it. It runs until ``stop()``.
    /// - Parameters:
    ///   - name: this server's name among the others.
    ///   - sequence: the last change that this server's feeds have.
    ///   - look: asks the database whether there is anything new.
    ///   - fitness: how fit this server is for the duty; asked each second.
    ///   - dutyBegan: called when this server gets the duty.
    ///   - dutyLeft: called when this server leaves the duty to another one that is fitter for it.
    ///   - noAnswer: called when no session can be opened because nothing answers.
    ///   - heardAgain: called when there is a session again after one that fell silent.
    ///   - cannotWrite: called each second while the database takes no writes.
    ///   - clock: this server's clock.
    ///   - clockLeads: called each second with how many seconds that clock is ahead of the database's, less than 0 if it is behind.
    package init(
        _ server: DatabaseServer,
        as name: String,
        sequence: @escaping @Sendable () -> Int,
        look: @escaping @Sendable () -> Void,
        fitness: @escaping @Sendable () -> DutyFitness = { .fit },
        dutyBegan: @escaping @Sendable () -> Void = {},
        dutyLeft: @escaping @Sendable () -> Void = {},
        noAnswer: @escaping @Sendable () -> Void = {},
        heardAgain: @escaping @Sendable () -> Void = {},
        cannotWrite: @escaping @Sendable () -> Void = {},
        clock: @escaping @Sendable () -> Timestamp = { .now },
        clockLeads: @escaping @Sendable (_ seconds: Int) -> Void = { _ in }
    ) {
        self.server = server
        self.sequence = sequence
        state = Mutex(State(roster: StoreRoster(name: name)))
        self.look = look
        (self.fitness, self.dutyBegan, self.dutyLeft) = (fitness, dutyBegan, dutyLeft)
        self.noAnswer = noAnswer
        self.heardAgain = heardAgain
        self.cannotWrite = cannotWrite
        (self.clock, self.clockLeads) = (clock, clockLeads)
        sessions.start { [self] in attend() }
        looks.start { [self] in lookAgainAndAgain() }
    }

    /// Whether this server does the clock's work, as of the last second. Not with a clock that was set since: it is compared with that of
    /// the database first.
    package var hasDuty: Bool {
        let (hasDuty, judged) = state.withLock { ($0.hasDuty, $0.judged) }
        guard hasDuty, let judged else { return false }
        let passed = (ContinuousClock.now - judged.at) / .milliseconds(1)
        return abs(Double(clock().milliseconds - judged.by.milliseconds) - passed) < Self.mostSet
    }

    /// All servers of the database including this one, sorted by name, as of the last time this server reached the database; empty for the
    /// first second.
    package var servers: [SharedServer] { state.withLock { $0.servers } }

    /// Whether another server has the same name; people then see only one of the two at a time.
    package var isNameShared: Bool { state.withLock { $0.roster.isNameShared } }

    /// Whether others' changes are notified at the moment, rather than found once a second.
    package var isListening: Bool { state.withLock { $0.connection != nil } }

    /// Ends the session, and with it the duty, which another server then takes; waits for running calls. To be called once.
    package func stop() {
        let connection = state.withLock { state in
            state.isStopping = true
            return state.connection
        }
        sessions.wake()
        looks.wake()
        connection?.endWait()
        sessions.join()
        looks.join()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: Looking

    private func lookAgainAndAgain() {
        while !isStopping {
            look()
            // One look covers all notifications so far.
            looks.pause(for: Self.interval)
        }
    }

    // MARK: The session

    private func attend() {
        var wasSilent = false
        while !isStopping {
            let begun = ContinuousClock.now
            do throws(PostgresError) {
                let connection = try connect()
                if wasSilent { heardAgain() }
                wasSilent = listen(on: connection)
                state.withLock { ($0.connection, $0.hasDuty) = (nil, false) }
                connection.close()
                // Usually a single session was ended, or the server was restarted: try again at once.
                guard ContinuousClock.now - begun < .seconds(1) else { continue }
            } catch {
                // The store, whose sessions lead to the same server, finds out and reports why there is none.
                if [.unreachable, .refused, .unknownHost, .timedOut].contains(error.kind) {
                    noAnswer()
                    wasSilent = true
                }
            }
            guard !isStopping else { return }
            sessions.pause(for: Self.rest)
        }
    }

    private func connect() throws(PostgresError) -> PostgresConnection {
        var options = PostgresOptions()
        (options.connectTimeout, options.statementTimeout) = (.seconds(2), .seconds(1))
        (options.answerTimeout, options.silenceTimeout) = (.milliseconds(500), .seconds(3))
        // A server that is cut off must not keep the duty for as long as TCP would wait for it.
        options.settings = [
            // A row lost in a crash is back a second later.
            "synchronous_commit": "off",
            "tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "2", "tcp_user_timeout": "2000",
        ]
        let connection = try PostgresConnection(to: server.address, options)
        do throws(PostgresError) {
            try connection.execute(PostgresSession.limitingIdleness(Self.longestPause))
            try connection.listen(to: Self.channel)
        } catch {
            connection.close()
            throw error
        }
        state.withLock { $0.connection = connection }
        return connection
    }

    /// Returns when the session is lost, or when the watch stops.
    /// - Returns: whether it was lost without a word from the server.
    private func listen(on connection: PostgresConnection) -> Bool {
        // For notifications sent before this session listened.
        looks.wake()
        var nextQuestion = ContinuousClock.now
        var duty = DutyLock()
        do throws(PostgresError) {
            while !isStopping {
                if ContinuousClock.now >= nextQuestion {
                    // Read once: a clock that is set after this counts as not compared.
                    let judged = (by: clock(), at: ContinuousClock.now)
                    // First, since how fit this server is depends on its clock.
                    try keepRoster(at: judged.by, on: connection)
                    try keep(&duty, judged, on: connection)
                    nextQuestion = .now + .seconds(1)
                }
                // No longer: a notification is no question, and the database ends a session that asks none.
                if try !connection.notifications(within: max(.zero, nextQuestion - .now)).isEmpty { looks.wake() }
            }
            let roster = state.withLock { $0.roster }
            try roster.leave(connection)
            return false
        } catch {
            // The session is lost; the caller opens a new one.
            return error.sqlState == nil
        }
    }

    /// Tells the others how far this server is, and reads how far they are. Nothing depends on it: where the row cannot be written,
    /// everything else goes on.
    private func keepRoster(at time: Timestamp, on connection: PostgresConnection) throws(PostgresError) {
        do throws(PostgresError) {
            var roster = state.withLock { $0.roster }
            let sequence = sequence()
            let servers = try roster.read(sequence, at: time, on: connection)
            state.withLock { [roster] in ($0.roster, $0.servers) = (roster, servers) }
            if let lead = roster.lead { clockLeads(lead) }
            try roster.write(sequence, on: connection)
        } catch  where !error.isConnectionLost {
            // A standby, a full disk, or a table that an older release's database lacks. A change would be the next to find out that
            // nothing can be written, and it may be a kill.
            if error.kind == .readOnly { cannotWrite() }
        }
    }

    private func keep(
        _ duty: inout DutyLock,
        _ judged: (by: Timestamp, at: ContinuousClock.Instant),
        on connection: PostgresConnection
    ) throws(PostgresError) {
        let hadIt = duty.isHeld
        try duty.update(fitness(), on: connection)
        let hasIt = duty.isHeld
        state.withLock { ($0.hasDuty, $0.judged) = (hasIt, judged) }
        if hasIt, !hadIt { dutyBegan() }
        if hadIt, !hasIt { dutyLeft() }
    }
}
