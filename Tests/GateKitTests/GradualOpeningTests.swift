import Foundation
import GateKit
import Testing

/// What GateKit tells of its installation while a gate is opened gradually.
@Suite(.timeLimit(.minutes(1))) struct GradualOpeningTests {
    /// The clock of a bench stands at 2026-03-20T09:46:40Z.
    private static let opening = Documents.native(
        #""killSwitch":{"message":"Closed","retryInterval":30,"until":"2026-03-20T09:56:40.000Z","opening":"2026-03-20T09:46:40.000Z"}"#
    )

    private func keys(_ bench: Bench) -> [String?] {
        bench.transport.requests.map { request in
            URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "targetingKey" }?.value
        }
    }

    @Test func itDrawsOnceAndTellsIt() async {
        // Whoever drew again would tell another number.
        let bench = Bench(Self.opening, chance: [0.5, 0.25, 0.125])
        await bench.monitor.start()
        await bench.monitor.check(forced: true)
        #expect(bench.transport.requests[1].url.query == "targetingKey=5000", "and nothing else")
        // The document that lets it in does not say until when; whoever asked without the number could be shut out again.
        bench.transport.answer(Documents.native("", sequence: 10))
        await bench.monitor.check(forced: true)
        await bench.monitor.check(forced: true)
        #expect(keys(bench) == [nil, "5000", "5000", "5000"])
        #expect(await bench.monitor.decision.kind == .open)
        bench.clock.advance(by: 601)
        await bench.monitor.check(forced: true)
        #expect(keys(bench).last == .some(nil))
    }

    @Test(arguments: [86_400.0, -86_400, 300]) func aWrongClockDoesNotShutItOutAgain(wrongBy: TimeInterval) async {
        let bench = Bench(Self.opening)
        bench.clock.setWall(by: wrongBy)
        await bench.monitor.start()
        await bench.monitor.check(forced: true)
        bench.transport.answer(Documents.native("", sequence: 10))
        await bench.monitor.check(forced: true)
        // To the end of the opening, by the server's clock.
        bench.clock.advance(by: 599)
        await bench.monitor.check(forced: true)
        #expect(keys(bench) == [nil, "5000", "5000", "5000"])
    }

    @Test func theNumberOutlivesTheApp() async {
        let bench = Bench(Self.opening)
        await bench.monitor.start()
        await bench.monitor.check(forced: true)
        let again = bench.restarted()
        again.transport.answer(Self.opening)
        await again.monitor.start()
        #expect(keys(again) == ["5000"])
    }

    @Test func aBlockTellsNothing() async {
        let bench = Bench(Documents.native(Documents.kill))
        await bench.monitor.start()
        await bench.monitor.check(forced: true)
        #expect(bench.transport.requests.map(\.url.query) == [nil, nil])
    }

    @Test func whoTellsNothingTellsNoNumberEither() async {
        let bench = Bench(Self.opening) { $0.parameters = .never }
        await bench.monitor.start()
        await bench.monitor.check(forced: true)
        #expect(bench.transport.requests.map(\.url.query) == [nil, nil])
    }
}
