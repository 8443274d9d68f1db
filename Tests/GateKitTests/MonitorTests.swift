import Foundation
import GateKit
import Synchronization
import Testing

/// Wire formats 6.2 items 19 to 29.
@Suite(.timeLimit(.minutes(1))) struct MonitorTests {
    private static let killed = Documents.native(Documents.kill)

    @Test("6.2.19 one request at a time; further triggers join it") func coalescing() async throws {
        let bench = Bench(Self.killed)
        let latch = bench.transport.hold(Self.killed)
        async let first = bench.monitor.start()
        try await latch.wait(for: 1)
        async let second = bench.monitor.check(forced: true)
        async let third = bench.monitor.enterForeground()
        async let fourth = bench.monitor.backgroundFetch()
        // All have joined when the monitor has answered something after them.
        for _ in 0..<100 { await Task.yield() }
        await latch.open()
        #expect(await [first, second, third].allSatisfy { $0.decision.kind == .blocked })
        _ = await fourth
        #expect(bench.transport.count == 1)
    }

    @Test("6.2.19 a check that never ends is ended by its time-out, and the next one runs") func timeout() async throws {
        let bench = Bench()
        // Not even cancelling ends it.
        let latch = bench.transport.hold(Self.killed)
        async let started = bench.monitor.start()
        await bench.clock.waitForSleep(of: 10)
        try await latch.wait(for: 1)
        bench.clock.advance(by: 10)
        #expect(await started.decision.kind == .open)
        bench.transport.answer(Self.killed)
        #expect(await bench.monitor.check(forced: true).decision.kind == .blocked)
        // What comes too late is not taken.
        await latch.open()
    }

    @Test("6.2.19 a failure, a stop and a vanished delegate leave nothing pending") func clearing() async throws {
        let bench = Bench()
        bench.transport.fail()
        await bench.monitor.start()
        let latch = bench.transport.hold()
        async let checked = bench.monitor.check(forced: true)
        try await latch.wait(for: 1)
        await bench.monitor.stop()
        _ = await checked
        await latch.open()
        bench.transport.answer(Self.killed)
        #expect(await bench.monitor.check(forced: true).decision.kind == .blocked)
    }

    @Test("6.2.20 a block is told once, however often it is polled, and so is its end") func transitions() async {
        let bench = Bench(Self.killed)
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        for _ in 0..<3 { await bench.monitor.check(forced: true) }
        bench.transport.answer(Documents.native(Documents.force, sequence: 11))
        await bench.monitor.check(forced: true)
        bench.transport.answer(Documents.native("", sequence: 12))
        await bench.monitor.check(forced: true)
        await recorder.wait(for: "state open")
        #expect(
            await recorder.words == [
                "willEngage killSwitch", "didEngage killSwitch", "state blocked",
                "willDisengage killSwitch", "didDisengage killSwitch", "willEngage forceUpdate", "didEngage forceUpdate", "state forced",
                "willDisengage forceUpdate", "didDisengage forceUpdate", "state open",
            ]
        )
    }

    @Test("6.2.21 while shut out it asks again after the feed's interval, and goes on after errors, slower") func polling() async {
        let bench = Bench(Self.killed)
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        await bench.clock.waitForSleep(of: 30)
        bench.clock.advance(by: 30)
        await bench.clock.waitForSleep(of: 30, count: 2)
        #expect(bench.transport.count == 2)
        bench.transport.fail()
        bench.clock.advance(by: 30)
        // Doubled with each failure up to five minutes, and a tenth more: half of the most that chance adds.
        for (delay, count) in [(66.0, 1), (132, 1), (264, 1), (330, 1), (330, 2)] {
            await bench.clock.waitForSleep(of: delay, count: count)
            bench.clock.advance(by: delay)
        }
        await bench.clock.waitForSleep(of: 330, count: 3)
        #expect(bench.transport.count == 8)
        bench.transport.answer(Documents.native("", sequence: 11))
        bench.clock.advance(by: 330)
        await recorder.wait(for: "didDisengage killSwitch")
        #expect(await bench.monitor.decision.kind == .open)
    }

    @Test("6.2.22 when let in there is no timer, and a spacing unless forced") func spacing() async {
        let bench = Bench()
        await bench.monitor.start()
        #expect(bench.clock.slept.allSatisfy { $0 == 10 })
        await bench.monitor.check()
        #expect(bench.transport.count == 1)
        await bench.monitor.check(forced: true)
        #expect(bench.transport.count == 2)
        bench.clock.advance(by: 29.9)
        await bench.monitor.check()
        #expect(bench.transport.count == 2)
        bench.clock.advance(by: 0.1)
        await bench.monitor.check()
        #expect(bench.transport.count == 3)
    }

    @Test("6.2.23 in the background no timer runs; in the foreground it asks at once") func background() async {
        let bench = Bench(Self.killed)
        await bench.monitor.start()
        await bench.clock.waitForSleep(of: 30)
        await bench.monitor.enterBackground()
        bench.clock.advance(by: 1_000)
        #expect(bench.transport.count == 1)
        await bench.monitor.enterForeground()
        #expect(bench.transport.count == 2)
        // And the timer runs again.
        await bench.clock.waitForSleep(of: 30, count: 2)
    }

    @Test("6.2.23 who is let in asks in the foreground when the last check is old enough") func foreground() async {
        let bench = Bench()
        await bench.monitor.start()
        await bench.monitor.enterBackground()
        bench.clock.advance(by: 10)
        await bench.monitor.enterForeground()
        #expect(bench.transport.count == 1)
        bench.clock.advance(by: 20)
        await bench.monitor.enterForeground()
        #expect(bench.transport.count == 2)
    }

    @Test("6.2.23 a check that died while the app was suspended is not joined in the foreground") func suspended() async throws {
        let bench = Bench()
        await bench.monitor.start()
        let latch = bench.transport.hold(Documents.native(""))
        async let held = bench.monitor.check(forced: true)
        try await latch.wait(for: 1)
        await bench.monitor.enterBackground()
        bench.clock.suspend(for: 3_600)
        bench.transport.answer(Self.killed)
        async let front = bench.monitor.enterForeground()
        // Whoever has joined the old check gets its answer.
        for _ in 0..<100 { await Task.yield() }
        await latch.open()
        #expect(await front.decision.kind == .blocked)
        #expect(bench.transport.count == 3)
        _ = await held
    }

    @Test("6.2.24 a pushed document counts at once, and arms the timer when it blocks") func pushed() async throws {
        let bench = Bench()
        await bench.monitor.start()
        #expect(try await bench.monitor.apply(Data(Documents.native(Documents.kill, sequence: 11).utf8)).decision.kind == .blocked)
        #expect(bench.transport.count == 1)
        await bench.clock.waitForSleep(of: 30)
        await #expect(throws: GateKitError.self) { try await bench.monitor.apply(Data("{}".utf8)) }
        await #expect(throws: GateKitError.self) { try await bench.monitor.apply(Data(Documents.native("", sequence: 9).utf8)) }
        #expect(await bench.monitor.decision.kind == .blocked)
    }

    @Test("6.2.24 a pushed document is polled at its own interval, however many checks have failed before") func pushedAfterFailures()
        async throws
    {
        let bench = Bench()
        bench.transport.fail()
        for _ in 0..<6 { await bench.monitor.check(forced: true) }
        try await bench.monitor.apply(Data(Self.killed.utf8))
        await bench.clock.waitForSleep(of: 30)
    }

    @Test("6.2.21 who was shut out is polled for, also where the first thing that comes is a push that is refused") func refusedFirst()
        async
    {
        let bench = Bench(Self.killed)
        await bench.monitor.start()
        let again = bench.restarted()
        await #expect(throws: GateKitError.self) { try await again.monitor.apply(Data("{}".utf8)) }
        #expect(await again.monitor.decision.kind == .blocked)
        await again.clock.waitForSleep(of: 30)
    }

    @Test(
        "6.2.24 a 304 confirms what the server was asked about, not what was pushed meanwhile",
        arguments: [
            (#"{"apiInactive":true,"userMessage":"Zu"}"#, #"{"apiInactive":false}"#, GateDecision.Kind.blocked, false),
            (Self.killed, Documents.native(""), .blocked, false), (Self.killed, Documents.native("", sequence: 11), .open, true),
        ]
    )
    func late(kept: String, pushed: String, kind: GateDecision.Kind, isStale: Bool) async throws {
        let bench = Bench()
        bench.transport.answer(kept, headers: ["ETag": "\"a\""])
        #expect(await bench.monitor.start().decision.kind == .blocked)
        let latch = bench.transport.hold(status: 304)
        async let checked = bench.monitor.check(forced: true)
        try await latch.wait(for: 1)
        #expect(try await bench.monitor.apply(Data(pushed.utf8)).decision.kind == .open)
        await latch.open()
        #expect(await checked.decision.kind == kind)
        #expect(await bench.monitor.state.isStale == isStale)
    }

    @Test("6.2.25 the background fetch says what came of it, and lets nobody in on an error") func fetch() async {
        let bench = Bench(Self.killed)
        await bench.monitor.enterBackground()
        #expect(await bench.monitor.backgroundFetch() == .newData)
        #expect(await bench.monitor.backgroundFetch() == .noData)
        bench.transport.fail()
        #expect(await bench.monitor.backgroundFetch() == .failed)
        #expect(await bench.monitor.decision.kind == .blocked)
        bench.transport.answer(Documents.native("", sequence: 11))
        #expect(await bench.monitor.backgroundFetch() == .newData)
        #expect(await bench.monitor.backgroundFetch() == .newData)
        #expect(bench.clock.slept.allSatisfy { $0 == 10 })
    }

    @Test(
        "6.2.26 a cold start without anything known lets in; one that was shut out stays so",
        arguments: [GateKitError.Code.transport, .timeout]
    )
    func failures(code: GateKitError.Code) async {
        let bench = Bench()
        bench.transport.fail(code)
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        #expect(await bench.monitor.start().decision.kind == .open)
        await recorder.wait(for: "error \(code.rawValue) keeps open")
        bench.transport.answer(Self.killed)
        await bench.monitor.check(forced: true)
        bench.transport.fail(code)
        #expect(await bench.monitor.check(forced: true).decision.kind == .blocked)
        #expect(await bench.monitor.state.isStale)
    }

    @Test(
        "6.2.26 started anew without a network it stays killed, for a day",
        arguments: [
            (0.0, GateDecision.Kind.blocked), (86_400, .blocked), (86_401, .open), (-400 * 86_400, .blocked),
        ]
    )
    func lastKnown(age: TimeInterval, kind: GateDecision.Kind) async {
        let bench = Bench(Self.killed)
        await bench.monitor.start()
        let again = bench.restarted()
        again.transport.fail()
        again.clock.setWall(by: age)
        let state = await again.monitor.start()
        #expect(state.decision.kind == kind)
        #expect(state.isStale)
    }

    @Test("6.2.26 the last known state can be left out, and what is newer than it wins") func lastKnownOff() async {
        let bench = Bench(Self.killed) { $0.lastKnownStateAge = 0 }
        await bench.monitor.start()
        let again = bench.restarted()
        again.transport.fail()
        #expect(await again.monitor.start().decision.kind == .open)
        // The app was updated meanwhile: what is known is decided anew.
        let outdated = Bench(Documents.native(Documents.required))
        #expect(await outdated.monitor.start().decision.kind == .required)
        let updated = Bench(memory: outdated.memory, phone: GatePhone(version: "4.2"))
        updated.transport.fail()
        #expect(await updated.monitor.start().decision.kind == .open)
    }

    @Test(
        "6.2.26 what the server told the version before to do does not hold the next one; a kill switch and an alert do",
        arguments: [
            (#"{"apiInactive":false,"forceUpdate":true,"retryInterval":15,"userMessage":"m"}"#, .forced, .open),
            (#"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"m"}"#, .blocked, .blocked),
            (#"{"ios":{"requiredUpdate":{"minimumVersion":"9","message":"m"}}}"#, .required, .open),
            (#"{"ios":{"optionalUpdate":{"optionalVersion":"9","message":"m"}}}"#, .optional, .open),
            (#"{"ios":{"alert":{"message":"m","blocking":true}}}"#, .blocked, .blocked),
            (#"{"ios":{"alert":{"message":"m","blocking":false}}}"#, .alert, .alert),
            (#"{"ios2":[{"required_version":"9"}]}"#, .required, .open),
            // The native document has the whole gate.
            (Documents.native(#""requiredUpdate":{"minimumVersion":"9","message":"m"}"#), .required, .required),
        ] as [(String, GateDecision.Kind, GateDecision.Kind)]
    )
    func madeForAnother(text: String, before: GateDecision.Kind, after: GateDecision.Kind) async throws {
        let feed = try #require(URL(string: "https://gate.test/feeds/shop/ios/combined.json"))
        let phone = GatePhone(version: "4.1.0", build: "41", osVersion: "17.2", languages: ["en"])
        let bench = Bench(text, phone: phone, feed: feed)
        #expect(await bench.monitor.start().decision.kind == before)
        var changed = [phone, phone, phone, phone]
        changed[0].version = "4.2.0"
        changed[1].build = "42"
        changed[2].osVersion = "17.3"
        changed[3].languages = ["de"]
        for (other, kind) in zip(changed, [after, after, after, before]) {
            let again = Bench(memory: bench.memory, phone: other, feed: feed)
            again.transport.fail()
            #expect(await again.monitor.start().decision.kind == kind)
            // An app that says late what it is.
            await again.monitor.update(phone)
            #expect(await again.monitor.decision.kind == before)
        }
    }

    @Test("6.2.27 the text comes with the event, and again when it changes") func message() async {
        let bench = Bench(Self.killed)
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        bench.transport.answer(Documents.native(#""killSwitch":{"message":"Until ten","retryInterval":30}"#, sequence: 11))
        await bench.monitor.check(forced: true)
        await recorder.wait(for: "message Until ten")
        var german = Documents.phone
        german.languages = ["de"]
        await bench.monitor.update(german)
        #expect(await recorder.transitions == ["willEngage killSwitch", "didEngage killSwitch", "message Until ten"])
    }

    @Test("6.2.28 a cleared blocking alert disengages without a restart") func cleared() async {
        let bench = Bench(Documents.native(Documents.block))
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        await bench.clock.waitForSleep(of: 15)
        bench.transport.answer(Documents.native("", sequence: 11))
        bench.clock.advance(by: 15)
        await recorder.wait(for: "didDisengage alert")
    }

    @Test("6.2.20 what goes is told before what comes") func goingFirst() async {
        let bench = Bench(Documents.native(Documents.alert))
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        bench.transport.answer(Documents.native(Documents.block, sequence: 11))
        await bench.monitor.check(forced: true)
        bench.transport.answer(Documents.native(Documents.optional, sequence: 12))
        await bench.monitor.check(forced: true)
        await recorder.wait(for: "state optional")
        #expect(
            await recorder.transitions == [
                "notice alert", "withdrawn alert", "willEngage alert", "didEngage alert", "willDisengage alert", "didDisengage alert",
                "notice optionalUpdate",
            ]
        )
    }

    private final class Delegate: GateMonitorDelegate {
        let said = Mutex<[String]>([])
        func gateWillEngage(_ decision: GateDecision) { said.withLock { $0.append("will \(decision.message ?? "-")") } }
        func gateDidDisengage(_ decision: GateDecision) { said.withLock { $0.append("did not") } }
        func gateError(_ error: GateKitError, keeping state: GateState) { said.withLock { $0.append(error.code.rawValue) } }
    }

    @Test("6.2.29 the delegate is called where the app says, in order, and held weakly") func delivery() async {
        let work = Mutex<[@Sendable () -> Void]>([])
        let bench = Bench(Self.killed) { $0.delivery = GateDelivery { job in work.withLock { $0.append(job) } } }
        var delegate: Delegate? = Delegate()
        await bench.monitor.setDelegate(delegate)
        await bench.monitor.start()
        bench.transport.answer(Documents.native("", sequence: 11))
        await bench.monitor.check(forced: true)
        bench.transport.fail()
        await bench.monitor.check(forced: true)
        #expect(delegate?.said.withLock { $0 } == [])
        for job in work.withLock({ $0 }) { job() }
        #expect(delegate?.said.withLock { $0 } == ["will Closed", "did not", "transport"])
        delegate = nil
        #expect(await bench.monitor.check(forced: true).isStale)
    }

    @Test("6.2.29 a monitor that nobody holds ends") func released() async {
        weak var gone: GateMonitor?
        do {
            let bench = Bench(Self.killed)
            await bench.monitor.start()
            gone = bench.monitor
        }
        #expect(gone == nil)
    }
}
