import GateHTTP
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

@testable import GateServer

/// What one person asks the server to work out must not keep its workers from everybody else's changes.
@Suite struct ComputingShareTests {
    /// A clock, and the processor's time that each question takes: it passes whenever that is looked at.
    private final class Times: Sendable {
        private let state = Mutex((now: ContinuousClock.now, spent: Duration.zero))

        var now: ContinuousClock.Instant { state.withLock { $0.now } }

        /// Looked at before and after each question.
        func spend(_ duration: Duration) -> Duration {
            state.withLock {
                $0.spent += duration
                return $0.spent
            }
        }

        func advance(_ duration: Duration) { state.withLock { $0.now += duration } }
    }

    private let times = Times()

    /// A server where every question takes `duration` of a processor, in no time: as if many were worked out at once.
    private func desk(taking duration: Duration) throws -> Desk {
        try Desk(computing: ComputingShare(now: { [times] in times.now }, spent: { [times] in times.spend(duration) })).furnished()
    }

    private static let questions: [(HTTPMethod, String, String?)] = [
        (.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0"}"#), (.get, "/changes", nil), (.get, "/export", nil),
        (.get, "/audit", nil),
    ]

    private func ask(_ desk: Desk, _ number: Int, as who: Desk.Who) -> HTTPResponse {
        let (method, path, body) = Self.questions[number % Self.questions.count]
        return desk.ask(method, "/api/v1" + path, body, as: who)
    }

    @Test func whoAsksForTooMuchAtOnceWaitsAndNobodyElse() throws {
        let desk = try desk(taking: .milliseconds(800))
        for number in 0..<3 { try ask(desk, number, as: .admin).expect(200) }
        for number in 0..<4 {
            let refused = ask(desk, number, as: .admin)
            #expect(refused.summary == "429 too_much_at_once" && refused.headers["Retry-After"] == "1")
        }
        try ask(desk, 0, as: .operator).expect(200)
        times.advance(.milliseconds(390))
        #expect(ask(desk, 0, as: .admin).status == 429)
        times.advance(.milliseconds(10))
        try ask(desk, 0, as: .admin).expect(200)
        #expect(ask(desk, 0, as: .admin).status == 429)
    }

    /// A script that asks one thing after the other is never refused, however long each takes and however often it asks.
    @Test(arguments: [Duration.milliseconds(1), .milliseconds(900), .seconds(30)])
    func oneAfterTheOtherIsNeverRefused(duration: Duration) throws {
        let desk = try desk(taking: duration)
        for number in 0..<200 {
            try ask(desk, number, as: .admin).expect(200)
            times.advance(duration)
        }
    }

    /// However much was begun at the same moment.
    @Test func theWaitIsShort() throws {
        let desk = try desk(taking: .seconds(60))
        try ask(desk, 0, as: .viewer).expect(200)
        #expect(ask(desk, 0, as: .viewer).headers["Retry-After"] == "2")
        times.advance(.seconds(2))
        try ask(desk, 0, as: .viewer).expect(200)
    }

    /// Whoever has nothing left can still block an app: what gatectl and the dashboard ask for on the way is answered, and the change is
    /// made.
    @Test func aKillSwitchIsNeverPutOff() throws {
        let desk = try desk(taking: .seconds(60))
        try ask(desk, 0, as: .operator).expect(200)
        #expect(ask(desk, 0, as: .operator).status == 429)
        for path in ["/status", "/targets", "/targets/shop/ios", "/apps", "/events", "/windows"] {
            try desk.ask(.get, "/api/v1" + path, as: .operator).expect(200)
        }
        let kill = #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Closed."}},"reason":"r""#
        for end in [#","dryRun":true}"#, "}"] { try desk.ask(.post, "/api/v1/changes", kill + end, as: .operator).expect(200) }
    }
}
