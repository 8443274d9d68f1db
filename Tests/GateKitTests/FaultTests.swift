import Foundation
import GateCrypto
import GateFeeds
import GateKit
import GateTesting
import Synchronization
import Testing

/// The client's contract (reliability R27): whatever a server and the network between do, the last good state stays, polling goes on,
/// nobody is let in or shut out by mistake, and a cold start never waits longer than its time-out.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FaultTests {
    /// Runs as the machine's clock does, but for the pauses between polls, which are short; the wall can be wrong.
    struct HastyClock: GateClock {
        var wrongBy: TimeInterval = 0
        var now: Date { Date(timeIntervalSinceNow: wrongBy) }
        var uptime: TimeInterval { SystemGateClock().uptime }
        func sleep(seconds: TimeInterval) async throws {
            try await SystemGateClock().sleep(seconds: seconds <= FaultTests.timeout ? seconds : 0.05)
        }
    }

    struct Mode: Sendable, CustomTestStringConvertible {
        let name: String
        /// Whether a check brings nothing.
        var fails = true
        var wrongBy: TimeInterval = 0
        let deed: FaultServer.Deed
        var testDescription: String { name }
    }

    static let timeout: TimeInterval = 0.8
    private static let key = SigningKey(seed: [UInt8](repeating: 1, count: 32))!
    private static let oldKey = SigningKey(seed: [UInt8](repeating: 2, count: 32))!
    private static let killed = Documents.native(Documents.kill, sequence: 10)
    private static let open = Documents.native("", sequence: 11)

    /// A kill switch that is to be lifted so many seconds from now, by the server's clock.
    private static func killed(untilIn seconds: TimeInterval) -> String {
        let until = Date(timeIntervalSinceNow: seconds).ISO8601Format()
        return Documents.native(#""killSwitch":{"message":"Closed","retryInterval":30,"until":"\#(until)"}"#)
    }

    private static func signature(_ text: String, _ key: SigningKey = key) -> String {
        "Gatehouse-Signature: \(FeedSignature(keyID: key.verifyingKey.id, bytes: key.sign(Array(text.utf8)))!.line)"
    }

    /// A whole answer that everything is right with.
    private static func good(_ text: String) -> FaultServer.Deed { { $0.answer("200 OK", text, [signature(text)]) } }

    private static func head(_ more: String) -> String { "HTTP/1.1 200 OK\r\n\(signature(open))\r\nConnection: close\r\n\(more)\r\n\r\n" }

    static let modes: [Mode] = [
        Mode(name: "no answer") { $0.waitForEnd() },
        Mode(name: "the connection is closed without a word") { _ in },
        Mode(name: "the connection is reset before the answer") { $0.reset() },
        Mode(name: "reset in the middle of the body") { line in
            line.write(head("Content-Length: \(open.utf8.count)") + open.prefix(40))
            line.reset()
        },
        Mode(name: "slow, but in time", fails: false) { line in
            usleep(150_000)
            good(killed)(line)
        },
        Mode(name: "a head that never ends") { line in
            line.write("HTTP/1.1 200 OK\r\n")
            while line.write("X-Pad: a\r\n") { usleep(50_000) }
        },
        Mode(name: "a body a byte at a time") { line in
            line.write(head("Content-Length: \(open.utf8.count)"))
            for byte in open.utf8 where line.write([byte]) { usleep(50_000) }
        },
        Mode(name: "a body that stops") { line in
            line.write(head("Content-Length: \(open.utf8.count)") + open.prefix(40))
            line.waitForEnd()
        },
        Mode(name: "500 with JSON that says open") { $0.answer("500 Internal Server Error", open, [signature(open)]) },
        Mode(name: "503 with Retry-After") { $0.answer("503 Service Unavailable", "busy", ["Retry-After: 1"]) },
        Mode(name: "403 HTML of a hotel's network") {
            $0.answer("403 Forbidden", "<html>Room number?</html>", ["Content-Type: text/html"])
        },
        Mode(name: "200 HTML of a hotel's network") { $0.answer("200 OK", "<html>Room number?</html>", ["Content-Type: text/html"]) },
        Mode(name: "redirected to a hotel's page") { line in
            if line.request.contains(" /login ") { return line.answer("200 OK", "<html>Room number?</html>") }
            line.answer("302 Found", "", ["Location: /login"])
        },
        Mode(name: "an empty 200") { $0.answer("200 OK", "") },
        Mode(name: "204") { $0.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n") },
        Mode(name: "304 that nobody asked for") { $0.write("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n") },
        Mode(name: "stale: an older sequence") { line in
            let older = Documents.native("", sequence: 9)
            line.answer("200 OK", older, [signature(older)])
        },
        Mode(name: "a wrong signature") { $0.answer("200 OK", open, [signature(open + " ")]) },
        Mode(name: "an old key") { $0.answer("200 OK", open, [signature(open, oldKey)]) },
        Mode(name: "no signature") { line in
            line.request.contains("gate.json.sig ") ? line.answer("404 Not Found", "no") : line.answer("200 OK", open)
        },
        Mode(name: "another app's document") { line in
            let other = Documents.native("", sequence: 99, app: "till")
            line.answer("200 OK", other, [signature(other)])
        },
        Mode(name: "another platform's document") { line in
            let other = Documents.native("", sequence: 99, platform: "android")
            line.answer("200 OK", other, [signature(other)])
        },
        Mode(name: "another shape that says open") { line in
            let status = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"userMessage":""}"#
            line.answer("200 OK", status, [signature(status)])
        },
        Mode(name: "an endless body") { line in
            line.write(head("X-Pad: a"))
            let piece = [UInt8](repeating: 0x20, count: 65_536)
            // Half a gigabit a second, more than a phone's network carries. At the speed of the memory, Foundation on Linux may not come to
            // cancelling the task on a busy machine, and keeps all that arrives until none is left.
            while line.write(piece) { usleep(1_000) }
        },
        Mode(name: "10 MB") { line in
            line.write(head("Content-Length: 10000000"))
            _ = line.write([UInt8](repeating: 0x20, count: 10_000_000))
        },
        Mode(name: "a redirect loop") { $0.answer("302 Found", "", ["Location: /feeds/shop/ios/gate.json"]) },
        Mode(name: "redirected to a weaker scheme") { $0.answer("302 Found", "", ["Location: ftp://127.0.0.1/gate.json"]) },
        Mode(name: "gzip where none was asked") { line in
            // `{}` in gzip.
            let body: [UInt8] = [
                0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB, 0xAE, 5, 0, 0x43, 0xBF, 0xA6, 0xA3, 2, 0, 0, 0,
            ]
            line.write(Array(head("Content-Encoding: gzip\r\nContent-Length: \(body.count)").utf8) + body)
        },
        Mode(name: "truncated") { $0.write(head("Content-Length: \(open.utf8.count)") + open.prefix(100)) },
        Mode(name: "broken chunks") { $0.write(head("Transfer-Encoding: chunked") + "5\r\n{\"a\":\r\nzz\r\n") },
        Mode(name: "no HTTP at all") { $0.write("SSH-2.0-OpenSSH_9.2\r\n") },
        // Whatever the clock says of its end, a kill switch holds until the feed lifts it.
        Mode(name: "a clock a year ahead", fails: false, wrongBy: 365 * 86_400, deed: good(killed(untilIn: 3_600))),
        Mode(name: "a clock a year behind", fails: false, wrongBy: -365 * 86_400, deed: good(killed(untilIn: 3_600))),
        Mode(name: "a clock that is right, and an end that is over", fails: false, deed: good(killed(untilIn: -3_600))),
    ]

    private static func length(of work: () async -> Void) async -> TimeInterval {
        let start = SystemGateClock().uptime
        await work()
        return SystemGateClock().uptime - start
    }

    private static func monitor(_ server: FaultServer, _ mode: Mode, memory: any GateMemory) throws -> GateMonitor {
        var configuration = GateConfiguration(feed: server.url)
        configuration.keys = [try GatePublicKey(key.verifyingKey.text)]
        configuration.timeout = timeout
        return GateMonitor(configuration, phone: Documents.phone, memory: memory, clock: HastyClock(wrongBy: mode.wrongBy))
    }

    @Test(arguments: modes) func nothingHappensByMistake(mode: Mode) async throws {
        let server = try FaultServer(Self.good(Self.killed))
        let monitor = try Self.monitor(server, mode, memory: InMemoryGateMemory())
        let recorder = Recorder()
        await recorder.follow(monitor)
        #expect(await monitor.start().decision.kind == .blocked)

        // Shut out, the phone stays so and goes on asking.
        server.does(mode.deed)
        let before = server.requests.count
        for _ in 0..<3 { await monitor.check(forced: true) }
        #expect(await monitor.state.decision.kind == .blocked)
        #expect(await monitor.state.isStale == mode.fails)
        let asked = server.requests.count
        #expect(asked >= before + 2)
        // Nobody calls it now. An endless body takes a starved machine long.
        try await waitUntil("the phone has asked twice by itself", limit: .seconds(300)) { server.requests.count >= asked + 2 }
        #expect(await monitor.decision.kind == .blocked)
        let errors = await recorder.words.filter { $0.hasPrefix("error") }
        #expect(errors.isEmpty != mode.fails)
        #expect(errors.allSatisfy { $0.hasSuffix("keeps blocked") })
        #expect(await recorder.transitions == ["willEngage killSwitch", "didEngage killSwitch"])

        // A cold start lets in, within the time-out, unless the document says otherwise.
        let cold = try Self.monitor(server, mode, memory: InMemoryGateMemory())
        // How long the time-out alone takes on this machine at this moment: where other tests keep all threads, everything wakes late.
        async let alone = Self.length { _ = try? await SystemGateClock().sleep(seconds: Self.timeout) }
        let start = SystemGateClock().uptime
        let state = await cold.start()
        let seconds = SystemGateClock().uptime - start
        // Older than what the first phone has seen is news to this one.
        let isNews = mode.name.hasPrefix("stale")
        #expect(state.decision.kind == (mode.fails ? .open : .blocked))
        #expect(state.isStale == (mode.fails && !isNews))
        #expect(seconds < max(await alone, Self.timeout) + 1)
        await cold.stop()

        // And when all is well again, it opens.
        server.does(Self.good(Self.open))
        await recorder.wait(for: "didDisengage killSwitch")
        #expect(await monitor.decision.kind == .open)
        let code = errors.first?.split(separator: " ").dropFirst().first ?? "-"
        print("fault: \(mode.name): \(code), \(server.requests.count) requests, cold start \(Int(seconds * 1_000)) ms")
        await monitor.stop()
    }

    @Test func whereNobodyListensAColdStartLetsInAtOnce() async throws {
        let port: UInt16
        do { port = try FaultServer { _ in }.port }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/feeds/shop/ios/gate.json"))
        var configuration = GateConfiguration(feed: url)
        configuration.timeout = Self.timeout
        let monitor = GateMonitor(configuration, phone: Documents.phone, memory: InMemoryGateMemory())
        let state = await monitor.start()
        #expect(state.decision.kind == .open)
        #expect(state.isStale)
    }
}
