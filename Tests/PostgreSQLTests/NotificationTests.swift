import GateTesting
import PostgreSQL
import Testing

/// What others notify is heard, at once.
@Suite(.timeLimit(.minutes(2)))
struct NotificationTests {
    @Test func whatIsNotifiedComesInOrderAndWithItsSender() throws {
        let session = try TestSession()
        let (listener, other) = (session.connection, try session.another())
        for channel in ["changes", "Über \"alles\"", String(repeating: "c", count: 63)] {
            try listener.listen(to: channel)
            try other.notify(channel)
            try other.notify(channel, "7 – ünïcödé")
            try listener.notify(channel, "own")
            var heard: [PostgresNotification] = []
            for _ in 1...3 where heard.count < 3 { heard += try listener.notifications(within: .seconds(30)) }
            #expect(heard.map(\.payload) == ["", "7 – ünïcödé", "own"])
            #expect(heard.map(\.processID) == [other.processID, other.processID, listener.processID])
            #expect(heard.allSatisfy { $0.channel == channel })
        }
        #expect(try listener.notifications(within: .zero).isEmpty)
        #expect(try other.notifications(within: .zero).isEmpty)
    }

    @Test(arguments: ["", String(repeating: "c", count: 64), "a\0b"])
    func aNameThatTheServerWouldAlterIsRefused(_ channel: String) throws {
        let session = try TestSession()
        #expect(thrown { () throws(PostgresError) in try session.connection.listen(to: channel) }?.kind == .invalidArgument)
    }

    /// Others learn of a change when it is kept, and not before.
    @Test func whatIsNotifiedInATransactionComesWithItsCommit() throws {
        let session = try TestSession()
        let (listener, other) = (session.connection, try session.another())
        try listener.listen(to: "changes")
        try other.execute("BEGIN")
        try other.notify("changes", "lost")
        try other.execute("ROLLBACK")
        try other.execute("BEGIN")
        try other.notify("changes", "kept")
        #expect(try listener.notifications(within: .zero).isEmpty)
        try other.execute("COMMIT")
        #expect(try listener.notifications(within: .seconds(30)).map(\.payload) == ["kept"])
    }

    @Test func whatCameDuringOtherStatementsIsNotLost() throws {
        let session = try TestSession()
        let (listener, other) = (session.connection, try session.another())
        try listener.listen(to: "changes")
        try other.notify("changes", "1")
        for _ in 0..<3 { try listener.execute("SELECT 1") }
        #expect(try listener.notifications(within: .seconds(30)).map(\.payload) == ["1"])
    }

    /// The best of many: a machine that does other things may keep any single one waiting.
    @Test func aNotificationArrivesWithin100Milliseconds() throws {
        let session = try TestSession()
        let (listener, other) = (session.connection, try session.another())
        try listener.listen(to: "changes")
        var fastest = Duration.seconds(60)
        for round in 0..<20 where fastest > .milliseconds(100) || round < 5 {
            let heard = Background {
                let heard = try listener.notifications(within: .seconds(30))
                return (heard.map(\.payload), SuspendingClock.now)
            }
            let sent = SuspendingClock.now
            try other.notify("changes", "\(round)")
            let (payloads, arrived) = try #require(try heard.value())
            #expect(payloads == ["\(round)"])
            fastest = min(fastest, arrived - sent)
        }
        #expect(fastest < .milliseconds(100))
    }

    @Test func aWaitIsEndedFromAnotherThread() throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.listen(to: "changes")
        let heard = Background { try connection.notifications(within: .seconds(100)) }
        // Before the wait has begun it ends the next one, so there is no wrong moment.
        connection.endWait()
        #expect(try heard.value()?.isEmpty == true)
        // Heard once is over: this wait is one.
        let began = SuspendingClock.now
        #expect(try connection.notifications(within: .milliseconds(50)).isEmpty)
        #expect(SuspendingClock.now - began >= .milliseconds(50))
        #expect(try connection.execute("SELECT 1").rows.count == 1)
    }

    @Test func aWaitEndsWithItsConnection() throws {
        let session = try TestSession()
        let connection = session.connection
        let lost = Background { thrown { () throws(PostgresError) in try connection.notifications(within: .seconds(100)) } }
        try session.another().execute("SELECT pg_terminate_backend($1)", [.integer(Int64(connection.processID))])
        let error = try lost.value() ?? nil
        #expect(error?.kind == .shuttingDown, "\(String(describing: error))")
        #expect(error?.mayHaveBeenCarriedOut == false)
    }
}
