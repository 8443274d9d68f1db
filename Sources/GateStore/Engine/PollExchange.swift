import Dispatch
import Foundation
package import GateJSON
package import GateModel
import PostgreSQL
import Synchronization

/// Tells the other servers of a database what polls this one counted, and hears what they did, about once a second.
///
/// In a session and on a thread of its own, beside ``StoreWatch``: a long document on a slow way must cost nobody the duty, nor hold up what is
/// notified. Nothing depends on it. A session that is lost is made anew; where the table cannot be written or is not there (a standby, a full disk),
/// it is tried again after a while, and the numbers of others stay as they were heard.
///
/// Thread-safe. The closures are called on its thread, one at a time; neither is called any more when ``stop()`` has returned in time.
package final class PollExchange: Sendable {
    private let server: DatabaseServer
    private let name: String
    private let own: @Sendable () -> (document: [UInt8], countedAt: Timestamp)
    private let heard: @Sendable (_ fresh: [SharedPolls], _ known: Set<String>, _ speaking: Set<String>) -> Void
    private let stopping = Mutex(false)
    private let pause = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// From one round to the next, and from one attempt at a session to the next.
    private static let rest = DispatchTimeInterval.seconds(1)
    /// After the database has refused something, which it hardly takes a second later. Within `SharedServer.patience`: others are heard all the same,
    /// where it is the writing that is refused.
    private static let longRest = DispatchTimeInterval.seconds(5)

    /// Starts it. It runs until ``stop()``.
    /// - Parameters:
    ///   - name: what this server is called among the others.
    ///   - own: what this server has to tell, with the time by its clock: UTF-8 of at most `SharedPolls.mostBytes`, the same bytes as long as there is
    ///     nothing new.
    ///   - heard: of other servers, what was told anew; those that are known at all; and those of them that were heard of within `SharedServer.patience`.
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
        let thread = Thread { [self] in
            exchange()
            ended.signal()
        }
        thread.name = "polls"
        thread.start()
    }

    /// Tells what is counted by now, where there is a session, and ends it. Waits for two seconds at most: what goes on longer ends with the process.
    /// To be called once.
    package func stop() {
        stopping.withLock { $0 = true }
        pause.signal()
        _ = ended.wait(timeout: .now() + .seconds(2))
    }

    private var isStopping: Bool { stopping.withLock { $0 } }

    private func exchange() {
        // What was heard is known in every session.
        var table = PollTable(name: name)
        while !isStopping {
            do throws(PostgresError) {
                let connection = try connect()
                defer { connection.close() }
                while !isStopping {
                    let rest = try round(&table, on: connection)
                    _ = pause.wait(timeout: .now() + rest)
                }
                try table.tellLast(own, on: connection)
            } catch {
                // That the database is away the store finds out, and tells; counts are nothing that anybody waits for.
                guard !isStopping else { return }
                _ = pause.wait(timeout: .now() + Self.rest)
            }
        }
    }

    private func connect() throws(PostgresError) -> PostgresConnection {
        var options = PostgresOptions()
        options.connectTimeout = .seconds(2)
        // What is lost with a crash is told again.
        options.settings = ["synchronous_commit": "off"]
        return try PostgresConnection(to: server.address, options)
    }

    /// - Returns: how long to wait for the next one.
    private func round(_ table: inout PollTable, on connection: PostgresConnection) throws(PostgresError) -> DispatchTimeInterval {
        do throws(PostgresError) {
            let news = try table.hear(at: .now, on: connection)
            heard(news.fresh, news.known, news.speaking)
            try table.tell(own, at: .now, on: connection)
            return Self.rest
        } catch  where !error.isConnectionLost {
            // A standby, a full disk, a table that an older release's database has not.
            return Self.longRest
        }
    }
}
