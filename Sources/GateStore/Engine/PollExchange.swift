import Dispatch
package import GateJSON
package import GateModel
import PostgreSQL
import Synchronization

/// Tells the other servers of a database which polls this one counted, and reads their counts, about once a second.
///
/// It has a session and a thread of its own, apart from ``StoreWatch``: a long document on a slow network must not cost a server the duty,
/// nor delay notifications. Nothing depends on it. A lost session is opened again; where the table cannot be written or does not exist (a
/// standby, a full disk), it tries again after a while, and the other servers' numbers stay as last read.
///
/// Thread-safe. The closures are called on its thread, one at a time; neither is called after ``stop()`` has returned in time.
package final class PollExchange: Sendable {
    private let server: DatabaseServer
    private let name: String
    private let own: @Sendable () -> (document: [UInt8], countedAt: Timestamp)
    private let heard: @Sendable (_ fresh: [SharedPolls], _ known: Set<String>, _ speaking: Set<String>) -> Void
    private let stopping = Mutex(false)
    private let thread = PausingThread("polls")

    /// The pause between rounds, and between attempts to open a session.
    private static let rest = DispatchTimeInterval.seconds(1)
    /// The pause after the database has refused something, since it would hardly accept it a second later. Shorter than
    /// `SharedServer.patience`: where only the writing is refused, the others are still read.
    private static let longRest = DispatchTimeInterval.seconds(5)

    /// Starts it. It runs until ``stop()``.
    /// - Parameters:
    ///   - name: this server's name among the others.
    ///   - own: this server's counts, with the time by its clock: UTF-8 of at most `SharedPolls.mostBytes`, the same bytes as long as there
    ///     is nothing new.
    ///   - heard: what other servers have newly written; all other servers that are known; and those of them that gave a sign of life
    ///     within `SharedServer.patience`.
    package init(
        _ server: DatabaseServer,
        as name: String,
        own: @escaping @Sendable () -> (document: [UInt8], countedAt: Timestamp),
        heard: @escaping @Sendable (_ fresh: [SharedPolls], _ known: Set<String>, _ speaking: Set<String>) -> Void
    ) {
        self.server = server
        self.name = name
        self.own = own
        self.heard = heard
        thread.start { [self] in exchange() }
    }

    /// Writes the counts so far, if there is a session, and ends it. Waits for at most two seconds: what takes longer ends with the
    /// process. To be called once.
    package func stop() {
        stopping.withLock { $0 = true }
        thread.wake()
        thread.join(patience: .seconds(2))
    }

    private var isStopping: Bool { stopping.withLock { $0 } }

    private func exchange() {
        // What was read stays known across sessions.
        var table = PollTable(name: name)
        while !isStopping {
            do throws(PostgresError) {
                let connection = try connect()
                defer { connection.close() }
                while !isStopping {
                    let rest = try round(&table, on: connection)
                    thread.pause(for: rest)
                }
                try table.tellLast(own, on: connection)
            } catch {
                // The store notices and reports that the database is away; nobody waits for counts.
                guard !isStopping else { return }
                thread.pause(for: Self.rest)
            }
        }
    }

    private func connect() throws(PostgresError) -> PostgresConnection {
        var options = PostgresOptions()
        options.connectTimeout = .seconds(2)
        // What a crash loses is written again.
        options.settings = ["synchronous_commit": "off"]
        return try PostgresConnection(to: server.address, options)
    }

    /// - Returns: how long to wait for the next round.
    private func round(_ table: inout PollTable, on connection: PostgresConnection) throws(PostgresError) -> DispatchTimeInterval {
        do throws(PostgresError) {
            let news = try table.hear(at: .now, on: connection)
            heard(news.fresh, news.known, news.speaking)
            try table.tell(own, at: .now, on: connection)
            return Self.rest
        } catch  where !error.isConnectionLost {
            // A standby, a full disk, or a table that an older release's database lacks.
            return Self.longRest
        }
    }
}
