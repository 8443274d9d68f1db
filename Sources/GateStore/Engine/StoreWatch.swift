import Dispatch
import Foundation
package import GateModel
import PostgreSQL
import Synchronization

/// Tells a server as soon as another one has written to the database that they share, and which of them has the duty of the clock.
///
/// A session of its own listens (``channel``): who commits notifies, and `look` is called within milliseconds. It is called once a second
/// beside that, whether there is a session or not, so that nothing depends on a notification. A session that is lost is made anew for as long
/// as it takes, four times a second.
///
/// The duty is a lock of that session's in the database (``dutyLock``): lost with it at once, and asked for each second by all who do not have
/// it. It keeps servers from doing the same at the same time, and nothing is right or wrong by it: what is written twice, the database refuses.
///
/// Thread-safe. `look` is called on a thread of its own and may take its time: what is notified meanwhile is told once, afterwards. The other
/// closures are called on a second one and must not wait for anything.
package final class StoreWatch: Sendable {
    /// What every committed change, and every window that was written, is notified on.
    static let channel = "gatehouse"
    /// Who has it does what the clock asks for: "gateduty" in ASCII.
    static let dutyLock: Int64 = 0x6761_7465_6475_7479

    /// Whether a server is at work on the database: one of them has the duty, or had it until a few seconds ago.
    static func isOnDuty(in db: SQLConnection) throws -> Bool {
        // The manual's 54.12: the two halves of the lock's number, and 1 for one number.
        let locks = try db.value(
            Int.self,
            sql: """
                SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database AND datname = current_database()
                WHERE locktype = 'advisory' AND classid::bigint = ? AND objid::bigint = ? AND objsubid = 1 AND granted
                """,
            arguments: [Int(dutyLock >> 32), Int(dutyLock & 0xFFFF_FFFF)]
        )
        return locks != 0
    }

    private struct State {
        /// Of the watch's own thread; others end its wait.
        var connection: PostgresConnection?
        var hasDuty = false
        var roster: StoreRoster
        var servers: [SharedServer] = []
        var isStopping = false
    }

    private let server: DatabaseServer
    private let look: @Sendable () -> Void
    private let dutyBegan: @Sendable () -> Void
    private let noAnswer: @Sendable () -> Void
    private let heardAgain: @Sendable () -> Void
    private let sequence: @Sendable () -> Int
    private let state: Mutex<State>
    /// Signalled to end a pause between two sessions.
    private let pause = DispatchSemaphore(value: 0)
    /// Signalled for what was notified.
    private let news = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// How often it is asked, whatever is notified.
    private static let interval = DispatchTimeInterval.seconds(1)
    /// From one attempt at a session to the next.
    private static let rest = DispatchTimeInterval.milliseconds(250)

    /// Starts it. It runs until ``stop()``.
    /// - Parameters:
    ///   - name: what this server is called among the others.
    ///   - sequence: of the last change that this server's feeds have.
    ///   - look: asks the database whether there is anything new.
    ///   - dutyBegan: called when this server has the duty from now on.
    ///   - noAnswer: called when no session is to be had, because nothing answers there.
    ///   - heardAgain: called when there is a session again after one that fell silent.
    package init(
        _ server: DatabaseServer,
        as name: String,
        sequence: @escaping @Sendable () -> Int,
        look: @escaping @Sendable () -> Void,
        dutyBegan: @escaping @Sendable () -> Void = {},
        noAnswer: @escaping @Sendable () -> Void = {},
        heardAgain: @escaping @Sendable () -> Void = {}
    ) {
        self.server = server
        self.sequence = sequence
        state = Mutex(State(roster: StoreRoster(name: name)))
        self.look = look
        self.dutyBegan = dutyBegan
        self.noAnswer = noAnswer
        self.heardAgain = heardAgain
        start("watch") { [self] in attend() }
        // On a thread of its own: whoever looks may wait for a server that has fallen silent, which the session finds out sooner.
        start("news") { [self] in lookAgainAndAgain() }
    }

    private func start(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread { [ended] in
            work()
            ended.signal()
        }
        thread.name = name
        thread.start()
    }

    /// Whether this server is the one that does what the clock asks for, as of the last second.
    package var hasDuty: Bool { state.withLock { $0.hasDuty } }

    /// All servers of the database, this one too, by their names; none before the first second. As of when this server reached the database last.
    package var servers: [SharedServer] { state.withLock { $0.servers } }

    /// Whether another server has the same name, so that people see one of them at a time.
    package var isNameShared: Bool { state.withLock { $0.roster.isNameShared } }

    /// Whether others' changes come by notification at the moment, and not once a second.
    package var isListening: Bool { state.withLock { $0.connection != nil } }

    /// Ends the session, and with it the duty, which another server then takes; waits for what is under way. To be called once.
    package func stop() {
        let connection = state.withLock { state in
            state.isStopping = true
            return state.connection
        }
        pause.signal()
        news.signal()
        connection?.endWait()
        ended.wait()
        ended.wait()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: Looking

    private func lookAgainAndAgain() {
        while !isStopping {
            look()
            _ = news.wait(timeout: .now() + Self.interval)
            // One look is enough for all that was told until now.
            while news.wait(timeout: .now()) == .success {}
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
                // Most often it was one session that was ended, or a server that was restarted: another one is tried at once.
                guard ContinuousClock.now - begun < .seconds(1) else { continue }
            } catch {
                // Why there is none the store finds out by itself, whose sessions lead to the same place; it is told there.
                if [.unreachable, .refused, .unknownHost, .timedOut].contains(error.kind) {
                    noAnswer()
                    wasSilent = true
                }
            }
            guard !isStopping else { return }
            _ = pause.wait(timeout: .now() + Self.rest)
        }
    }

    private func connect() throws(PostgresError) -> PostgresConnection {
        var options = PostgresOptions()
        (options.connectTimeout, options.statementTimeout) = (.seconds(2), .seconds(1))
        (options.answerTimeout, options.silenceTimeout) = (.milliseconds(500), .seconds(3))
        // A server that is cut off must not keep the duty for as long as TCP would go on waiting for it.
        options.settings = [
            // Who is lost with a crash is back a second later.
            "synchronous_commit": "off",
            "tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "2", "tcp_user_timeout": "2000",
        ]
        let connection = try PostgresConnection(to: server.address, options)
        do throws(PostgresError) { try connection.listen(to: Self.channel) } catch {
            connection.close()
            throw error
        }
        state.withLock { $0.connection = connection }
        return connection
    }

    /// Returns when the session is lost, or at the end.
    /// - Returns: whether it was lost without a word from the server.
    private func listen(on connection: PostgresConnection) -> Bool {
        // What was told before anybody listened.
        news.signal()
        var asked: ContinuousClock.Instant?
        do throws(PostgresError) {
            while !isStopping {
                if asked.map({ ContinuousClock.now - $0 >= .seconds(1) }) ?? true {
                    try keepDuty(on: connection)
                    try keepRoster(on: connection)
                    asked = .now
                }
                if try !connection.notifications(within: .seconds(1)).isEmpty { news.signal() }
            }
            let roster = state.withLock { $0.roster }
            try roster.leave(connection)
            return false
        } catch {
            // It is lost, and made anew.
            return error.sqlState == nil
        }
    }

    /// Tells the others how far this server is, and hears how far they are. Nothing depends on it: where it cannot be written, all else goes on.
    private func keepRoster(on connection: PostgresConnection) throws(PostgresError) {
        do throws(PostgresError) {
            var roster = state.withLock { $0.roster }
            let servers = try roster.update(sequence(), on: connection)
            state.withLock { [roster] in ($0.roster, $0.servers) = (roster, servers) }
        } catch  where !error.isConnectionLost {
            // A standby, a full disk, a table that an older release's database has not.
            return
        }
    }

    /// Asks for the duty, or whether the session is there that has it.
    private func keepDuty(on connection: PostgresConnection) throws(PostgresError) {
        guard !hasDuty else {
            try connection.execute("SELECT 1")
            return
        }
        let answer = try connection.execute("SELECT pg_try_advisory_lock(\(Self.dutyLock))")
        guard answer.rows.first?[0] == .boolean(true) else { return }
        state.withLock { $0.hasDuty = true }
        dutyBegan()
    }
}
