import GateKit
import Testing

/// What the app reports between two polls neither puts off the next one nor begins polling.
@Suite(.timeLimit(.minutes(1))) struct TimerTests {
    private typealias Report = @Sendable (GateMonitor) async -> Void

    private static let reports: [(String, Report)] = [
        ("another language", { await $0.update(GatePhone(version: "4.0", languages: ["de"])) }),
        ("a notice put away", { await $0.acknowledge($0.decision) }),
        ("a notice put off", { await $0.postpone($0.decision) }),
    ]

    @Test("6.2.21 what is reported while shut out does not put off the poll", arguments: reports)
    private func goesOn(name: String, report: Report) async {
        let bench = Bench(Documents.native(Documents.kill))
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        await bench.clock.waitForSleep(of: 30)
        bench.transport.answer(Documents.native("", sequence: 11))
        bench.clock.advance(by: 20)
        await report(bench.monitor)
        bench.clock.advance(by: 10)
        await recorder.wait(for: "didDisengage killSwitch")
    }

    @Test("6.2.21 a language with another interval sets the timer anew") func changed() async {
        let bench = Bench(Documents.native(#""requiredUpdate":{"minimumVersion":"4.2","message":"Required"}"#))
        await bench.monitor.update(GatePhone(version: "4.2"))
        #expect(await bench.monitor.start().decision.kind == .open)
        await bench.monitor.update(GatePhone(version: "4.1"))
        await bench.clock.waitForSleep(of: 15)
    }

    @Test("6.2.19 after a stop nothing is polled, whatever is reported, until somebody checks", arguments: reports)
    private func stopped(name: String, report: Report) async {
        let bench = Bench(Documents.native(Documents.kill))
        await bench.monitor.start()
        await bench.clock.waitForSleep(of: 30)
        await bench.monitor.stop()
        await report(bench.monitor)
        // A timer that was set would begin to sleep now.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(bench.clock.slept.filter { $0 == 30 }.count == 1)
        await bench.monitor.check()
        await bench.clock.waitForSleep(of: 30, count: 2)
    }
}
