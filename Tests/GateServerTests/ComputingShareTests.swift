import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
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

    /// However long one takes: the time passes while it is worked out.
    @Test(arguments: [Duration.milliseconds(900), .seconds(30)]) func workThatTakesLongByItselfTakesNothing(duration: Duration) throws {
        let desk = try Desk(
            computing: ComputingShare(
                now: { [times] in times.now },
                spent: { [times] in
                    times.advance(duration)
                    return times.spend(duration)
                }
            )
        ).furnished()
        for number in 0..<20 {
            try ask(desk, number, as: .admin).expect(200)
            try plan(desk, Self.longDryRun, as: .admin).expect(200)
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

    private static func change(message: String = "Closed.", revision: Int = 1, _ end: String = "}") -> String {
        #"{"targets":[{"app":"shop","platform":"ios","revision":\#(revision)}],"set":{"killSwitch":{"message":"\#(message)"}},"reason":"r""#
            + end
    }

    private static let dryRun = #","dryRun":true}"#
    /// As long as one that names many targets.
    private static let longEnd = dryRun + String(repeating: " ", count: ComputingShare.shortRequest)
    private static let longDryRun = change(longEnd)

    private func plan(_ desk: Desk, _ body: String, as who: Desk.Who = .operator) -> HTTPResponse {
        desk.ask(.post, "/api/v1/changes", body, as: who)
    }

    /// Whoever has nothing left can still block an app: what gatectl and the dashboard ask for on the way is answered, and the change is
    /// made.
    @Test func aKillSwitchIsNotPutOffByQuestions() throws {
        let desk = try desk(taking: .milliseconds(900))
        for number in 0..<3 { try ask(desk, number, as: .operator).expect(200) }
        #expect(ask(desk, 0, as: .operator).status == 429)
        for path in ["/status", "/targets", "/targets/shop/ios", "/apps", "/events", "/windows"] {
            try desk.ask(.get, "/api/v1" + path, as: .operator).expect(200)
        }
        for end in [Self.dryRun, "}"] { try plan(desk, Self.change(end)).expect(200) }
    }

    /// An operator's dry runs about all targets of an app keep neither another operator's kill switch waiting nor their own.
    @Test func whoPlansTooMuchAtOnceWaitsAndNoKillSwitch() throws {
        let desk = try desk(taking: .milliseconds(400))
        for _ in 0..<3 { try plan(desk, Self.longDryRun).expect(200) }
        let refused = plan(desk, Self.longDryRun)
        #expect(refused.summary == "429 too_much_at_once" && refused.headers["Retry-After"] == "1")
        // What was planned is missing for questions too.
        for number in 0..<3 { try ask(desk, number, as: .operator).expect(200) }
        #expect(ask(desk, 0, as: .operator).status == 429)
        try plan(desk, Self.longDryRun, as: .admin).expect(200)
        for end in [Self.dryRun, "}"] { try plan(desk, Self.change(end)).expect(200) }
        times.advance(.milliseconds(600))
        try plan(desk, Self.change(revision: 2, Self.longEnd)).expect(200)
    }

    /// Not even short ones may be sent by the hundred.
    @Test func shortPlansHaveALimitToo() throws {
        let desk = try desk(taking: .milliseconds(400))
        for _ in 0..<6 { try plan(desk, Self.change(Self.dryRun)).expect(200) }
        #expect(plan(desk, Self.change(Self.dryRun)).summary == "429 too_much_at_once")
        // A refusal is one as well: here a change that was overtaken.
        times.advance(.milliseconds(400))
        #expect(plan(desk, Self.change(revision: 7)).status == 412)
        #expect(plan(desk, Self.change(revision: 7)).status == 429)
    }

    /// Writes wait for each other as it is, and a script that makes many is no attack.
    @Test func whatIsCarriedOutTakesNothing() throws {
        let desk = try desk(taking: .seconds(60))
        for revision in 1...20 { try plan(desk, Self.change(message: "Closed \(revision).", revision: revision)).expect(200) }
        try plan(desk, Self.longDryRun).expect(412)
        // A change that alters nothing is none.
        let same = Self.change(message: "Closed 20.", revision: 21)
        #expect(plan(desk, same).status == 429)
        times.advance(.seconds(1))
        try plan(desk, same).expect(200)
        #expect(plan(desk, same).status == 429)
    }

    /// Many who plan the same change at the same moment note that they write, and all but one are overtaken.
    @Test func whoIsOvertakenHasWrittenNothing() throws {
        let share = ComputingShare(now: { [times] in times.now }, spent: { [times] in times.spend(.milliseconds(600)) })
        let actor = Actor(kind: .user, name: "olga")
        func overtaken() -> String? {
            do throws(ServiceError) {
                try share.answer(.plan(isShort: false), for: actor, unless: true) { () throws(ServiceError) in
                    throw ServiceError(.revisionStale, "stale_revision", "")
                }
                return nil
            } catch { return error.word }
        }
        #expect((0..<3).map { _ in overtaken() } == ["stale_revision", "stale_revision", "too_much_at_once"])
    }

    @Test func whatIsWorkedOutIsCounted() {
        for endpoint in Endpoint.allCases {
            let isPlan = endpoint.keepsKeys && endpoint != .createToken && endpoint != .createBackup
            let short = ComputingShare.Work(endpoint, size: 1_024)
            #expect((short == .plan(isShort: true)) == isPlan, "\(endpoint)")
            #expect((ComputingShare.Work(endpoint, size: 1_025) == .plan(isShort: false)) == isPlan, "\(endpoint)")
        }
    }
}
