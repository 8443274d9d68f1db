import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// When a failure is told, and when it is not told once more.
@Suite struct FailureLogTests {
    private let clock = TestClock()
    private let told = ToldFailures()
    private let log: FailureLog

    init() { log = FailureLog(now: { [clock] in clock.now }, line: told.add) }

    private static let full = StoreError(
        .full,
        "Writing a change: SQLite error 13: database or disk is full",
        cause: .sqlite(13),
        operation: "Writing a change",
        path: "/data/gatehouse.sqlite"
    )
    private static let busy = StoreError(.busy, "locked", cause: .sqlite(5), operation: "Writing a change", path: "/data/gatehouse.sqlite")

    private func fail(_ error: StoreError = full, request: String = "r1") {
        var refusal = ServiceError(error)
        refusal.target = "shop/ios"
        log.tell(refusal, requestId: request, endpoint: "POST /changes", by: .operator)
    }

    @Test func aRequestsFailureIsOneLineWithEverythingThatIsKnown() throws {
        fail()
        let failure = try told.take().first.unwrapped()
        #expect(failure.sentence == "Writing a change failed")
        let fields = Dictionary(uniqueKeysWithValues: failure.fields.map { ($0.name, $0.value) })
        #expect(
            fields == [
                "operation": "Writing a change", "code": "full", "sqlite": "13", "path": "/data/gatehouse.sqlite", "requestId": "r1",
                "error": "Writing a change: SQLite error 13: database or disk is full", "remedy": Self.full.hint,
                "endpoint": "POST /changes", "problem": "disk_full", "actor": "user otto", "target": "shop/ios",
            ]
        )
    }

    @Test func whatTheSystemRefusedHasItsErrno() throws {
        log.failed(.publication, StoreError(errno: 28, doing: "Writing the feeds", at: "/data/publication/shop.json.new"))
        let failure = try told.take().first.unwrapped()
        #expect(failure.sentence == "Writing the feeds fails and is tried again")
        let fields = Dictionary(uniqueKeysWithValues: failure.fields.map { ($0.name, $0.value) })
        #expect((fields["errno"], fields["sqlite"], fields["code"]) == ("28", nil, "full"))
        #expect((fields["path"], fields["requestId"]) == ("/data/publication/shop.json.new", "housekeeping"))
    }

    @Test func aRefusalIsNoFailure() {
        log.tell(ServiceError(.invalid, "invalid_version", "No."), requestId: "r1", endpoint: "POST /changes", by: .operator)
        log.failed(.rehash, ServiceError(.starting, "starting", "Not yet."))
        #expect(told.all.isEmpty)
    }

    /// Each request has its line, up to a bound: the log may well be on the disk that is full.
    @Test func aFloodOfFailuresIsBoundedAndTheRestCounted() {
        for number in 1...100 { fail(request: "r\(number)") }
        fail(Self.busy)
        #expect(told.take().map(\.requestId) == (1...60).map { "r\($0)" } + ["r1"])
        log.settle()
        #expect(told.all.isEmpty, "the minute is not over")
        clock.advance(seconds: 60)
        log.settle()
        #expect(told.take().map { "\($0.stage) \($0.requestId)" } == ["more(40) r100"])
        fail(request: "r101")
        #expect(told.take().map(\.requestId) == ["r101"])
        clock.advance(seconds: 60)
        log.settle()
        #expect(told.all.isEmpty)
    }

    @Test func aClockThatIsPutBackSilencesNothing() {
        for _ in 1...61 { fail() }
        clock.advance(seconds: -86_400)
        fail(request: "r2")
        #expect(told.take().last?.requestId == "r2")
    }

    @Test func workThatIsTriedAgainAndAgainIsToldAtItsBeginningAndItsEnd() {
        for _ in 1...90 {
            log.failed(.checkpoint, Self.full)
            clock.advance(seconds: 1)
        }
        #expect(told.take().map(\.stage) == [.began])
        log.worked(.checkpoint)
        #expect(told.take().map(\.stage) == [.ended(tries: 90, seconds: 90)])
        for _ in 1...5 { log.worked(.checkpoint) }
        #expect(told.all.isEmpty)
        log.failed(.checkpoint, Self.full)
        #expect(told.take().map(\.stage) == [.began])
    }

    @Test func anotherCauseIsNewsButNotEverySecond() {
        for second in 0..<180 {
            log.failed(.checkpoint, second.isMultiple(of: 2) ? Self.full : Self.busy)
            clock.advance(seconds: 1)
        }
        #expect(told.take().map(\.code) == ["full", "busy", "full"])
    }

    @Test func eachDutyFailsAndEndsByItself() {
        log.failed(.duty(.window(7)), Self.full)
        log.failed(.duty(.window(8)), Self.full)
        #expect(told.take().map { "\($0.requestId) \($0.target ?? "")" } == ["schedule window 7", "schedule window 8"])
        log.worked(.duty(.window(7)))
        #expect(told.take().map(\.target) == ["window 7"])
        log.failed(.publication, Self.full)
        _ = told.take()
        log.allWorked(by: Chore.scheduleName)
        #expect(told.take().map(\.target) == ["window 8"], "what somebody else does still fails")
    }
}
