import Foundation
import GateCrypto
import GateFeeds
import GateKit
import Testing

/// A client that pins keys (reliability R26).
@Suite(.timeLimit(.minutes(1))) struct SignedFeedTests {
    private let key = SigningKey(seed: [UInt8](repeating: 1, count: 32))!
    private let other = SigningKey(seed: [UInt8](repeating: 2, count: 32))!

    private func line(_ text: String, by key: SigningKey) -> String {
        FeedSignature(keyID: key.verifyingKey.id, bytes: key.sign(Array(text.utf8)))!.line
    }

    private func bench(_ text: String, line: String?, keys: [SigningKey], memory: any GateMemory = InMemoryGateMemory()) throws -> Bench {
        let pinned = try keys.map { try GatePublicKey($0.verifyingKey.text) }
        let bench = Bench(memory: memory) { $0.keys = pinned }
        bench.transport.answer(text, headers: line.map { ["Gatehouse-Signature": $0] } ?? [:])
        return bench
    }

    private static let killed = Documents.native(Documents.kill)

    @Test func whatAPinnedKeySignedIsTaken() async throws {
        let bench = try bench(Self.killed, line: line(Self.killed, by: key), keys: [other, key])
        #expect(await bench.monitor.start().decision.kind == .blocked)
        #expect(bench.transport.count == 1)
        #expect(try GatePublicKey(key.verifyingKey.text).id == key.verifyingKey.id)
    }

    /// The vectors that the server's documentation gives to other clients; the key is that of RFC 8032's first test.
    @Test(arguments: [
        (
            "ios",
            #"{"schema":"gatehouse/v1","app":"shop","platform":"ios","sequence":1042,"revision":42,"issuedAt":"2026-04-02T08:31:14.000Z","gate":{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}},"storeURL":null}"#,
            "21fe31dfa154a261:t0VMxB37imYoqBdvCIhTq3XmYBMtN9u79QLcFb1snhhW4Mj3prNMxGmI6XijoA9aaGam36WKK3BmOpKppOtyDA", "Back at 09:30."
        ),
        (
            "android",
            #"{"schema":"gatehouse/v1","app":"shop","platform":"android","sequence":1043,"revision":7,"issuedAt":"2026-04-02T09:32:14.125Z","gate":{"alert":{"message":"Zahlungen mit Karte dauern heute länger. ☕","blocking":false}},"storeURL":"https://play.google.com/store/apps/details?id=org.example.shop"}"#,
            "21fe31dfa154a261:k1A3LMYcxCKDJ6_sWI9kSCHEG1i84UN5UJPgvzRSfZMx78mXNagvveOGT6mMlUt_j3pmyyXYjGgqO-0cXtYvAw",
            "Zahlungen mit Karte dauern heute länger. ☕"
        ),
    ])
    func theDocumentedVectorsAreTaken(platform: String, text: String, line: String, message: String) async throws {
        let key = try GatePublicKey("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        #expect(key.id == "21fe31dfa154a261")
        let feed = try #require(URL(string: "https://gate.test/feeds/shop/\(platform)/gate.json"))
        let bench = Bench(feed: feed) { $0.keys = [key] }
        #expect(try await bench.monitor.apply(Data(text.utf8), signature: line).decision.message == message)
        await #expect(throws: GateKitError.self) { try await bench.monitor.apply(Data(text.utf8.dropLast()), signature: line) }
    }

    @Test func whatNobodyOrSomebodyElseSignedIsRefused() async throws {
        let good = line(Self.killed, by: key)
        for line in [nil, "", "x", good + "x", line(Self.killed, by: other), line(Self.killed + " ", by: key), good.uppercased()] {
            let bench = try bench(Self.killed, line: line, keys: [key])
            let recorder = Recorder()
            await recorder.follow(bench.monitor)
            #expect(await bench.monitor.start().decision.kind == .open)
            await recorder.wait(for: "error signature keeps open")
        }
    }

    @Test func everyByteOfTheDocumentAndOfTheSignatureIsProven() async throws {
        let good = line(Self.killed, by: key)
        let bytes = Array(Self.killed.utf8)
        let bench = try bench(Self.killed, line: good, keys: [key])
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            await #expect(throws: GateKitError.self) { try await bench.monitor.apply(Data(changed), signature: good) }
        }
        for place in Array(good.utf8).indices {
            var changed = Array(good.utf8)
            changed[place] ^= 1
            let line = String(decoding: changed, as: UTF8.self)
            await #expect(throws: GateKitError.self) { try await bench.monitor.apply(Data(bytes), signature: line) }
        }
        #expect(try await bench.monitor.apply(Data(bytes), signature: good).decision.kind == .blocked)
    }

    @Test func theSignatureBesideTheFeedIsReadWhereACacheDroppedTheHeader() async throws {
        let bench = try bench("", line: nil, keys: [key])
        let good = line(Self.killed, by: key)
        bench.transport.answer { request in
            GateResponse(status: 200, body: Data((request.url.path.hasSuffix("/gate.json.sig") ? good + "\n" : Self.killed).utf8))
        }
        #expect(await bench.monitor.start().decision.kind == .blocked)
        #expect(bench.transport.requests.map(\.url.lastPathComponent) == ["gate.json", "gate.json.sig"])
    }

    @Test func whatCannotBeSignedIsRefusedWhereKeysArePinned() async throws {
        let status = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"m"}"#
        let bench = try bench(status, line: line(status, by: key), keys: [key])
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        #expect(await bench.monitor.start().decision.kind == .open)
        await recorder.wait(for: "error signature keeps open")
    }

    @Test func anOlderDocumentIsRefusedAlsoAfterARestart() async throws {
        let bench = try bench(Self.killed, line: line(Self.killed, by: key), keys: [key])
        await bench.monitor.start()
        let older = Documents.native("", sequence: 9)
        let again = try self.bench(older, line: line(older, by: key), keys: [key], memory: bench.memory)
        let recorder = Recorder()
        await recorder.follow(again.monitor)
        #expect(await again.monitor.start().decision.kind == .blocked)
        await recorder.wait(for: "error rollback keeps blocked")
        let same = Documents.native("", sequence: 10)
        again.transport.answer(same, headers: ["gatehouse-signature": line(same, by: key)])
        #expect(await again.monitor.check(forced: true).decision.kind == .open)
    }

    @Test(arguments: [("till", "ios"), ("shop", "android")])
    func anotherAppsOrPlatformsDocumentIsRefused(app: String, platform: String) async throws {
        let text = Documents.native("", sequence: 99, app: app, platform: platform)
        let bench = try bench(text, line: line(text, by: key), keys: [key])
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        await recorder.wait(for: "error wrong_app keeps open")
    }

    @Test func aDocumentThatIsTooOldIsRefusedOnlyWhereTheAppWantsIt() async throws {
        let old = Documents.native(Documents.kill, issuedAt: "2026-03-01T00:00:00.000Z")
        #expect(await Bench(old).monitor.start().decision.kind == .blocked)
        let bench = Bench(old) { $0.maximumIssueAge = 7 * 86_400 }
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        await recorder.wait(for: "error too_old keeps open")
    }

    /// What is kept is proven again when it is taken up: an app that pins keys from its next version on takes up nothing from before.
    @Test func whatWasKeptUnsignedIsNotTakenUpByAnAppThatPinsKeys() async throws {
        let bench = Bench(Self.killed)
        await bench.monitor.start()
        let pinning = try self.bench("", line: nil, keys: [key], memory: bench.memory)
        pinning.transport.fail()
        #expect(await pinning.monitor.start().decision.kind == .open)
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 42), String(repeating: "A", count: 44), String(repeating: "=", count: 43)])
    func whatIsNoKeyIsRefused(text: String) {
        #expect(throws: GateKitError.self) { try GatePublicKey(text) }
    }
}
