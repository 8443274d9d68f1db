import Foundation
import GateKit
import GateTesting
import Synchronization
import Testing

/// Wire formats 6.2 items 14 to 18.
@Suite(.timeLimit(.minutes(1))) struct MemoryTests {
    private static let rules = Documents.native([Documents.optional, Documents.alert].joined(separator: ","))

    @Test("6.2.14 an update is put away by its version, an alert by its text") func onceEach() throws {
        var seen = GateSeen()
        let document = try Documents.read(Self.rules)
        seen.acknowledge(document.decide("4.0", seen: seen))
        seen.acknowledge(document.decide("4.0", seen: seen))
        #expect(document.decide("4.0", seen: seen).kind == .open)
        let newer = Self.rules.replacingOccurrences(of: "4.3", with: "4.4").replacingOccurrences(of: "Told", with: "Told anew")
        #expect(try Documents.read(newer).decide("4.0", seen: seen).kind == .optional)
        #expect(try Documents.read(newer).decide("4.4", seen: seen).kind == .alert)
    }

    @Test("6.2.14 nothing that shuts out is remembered", arguments: [Documents.kill, Documents.force, Documents.required, Documents.block])
    func neverRemembered(rule: String) throws {
        let document = try Documents.read(Documents.native(rule))
        var seen = GateSeen()
        seen.acknowledge(document.decide("4.0"))
        #expect(seen == GateSeen())
        #expect(document.decide("4.0", seen: seen).kind.shutsOut)
    }

    @Test("6.2.15 every memory keeps what it is given") func adapters() async throws {
        let folder = try TemporaryFolder()
        let suite = "gatekit-tests-\(UUID().uuidString)"
        defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
        let file = URL(fileURLWithPath: folder.path + "/memory.json")
        let memories: [(any GateMemory, any GateMemory)] = [
            (FileGateMemory(file: file), FileGateMemory(file: file)),
            (UserDefaultsGateMemory(suite: suite), UserDefaultsGateMemory(suite: suite)),
        ]
        for (first, second) in memories {
            #expect(try first.load("a") == nil)
            try first.save(Data([1, 2]), as: "a")
            try first.save(Data("ü\u{0}".utf8), as: "b")
            try first.save(Data(), as: "c")
            #expect(try second.load("a") == Data([1, 2]))
            #expect(try second.load("b") == Data("ü\u{0}".utf8))
            #expect(try second.load("c") == Data())
        }
        for memory in [FileGateMemory(file: file), UserDefaultsGateMemory(suite: suite), InMemoryGateMemory()] as [any GateMemory] {
            let bench = Bench(Self.rules, memory: memory)
            await bench.monitor.start()
            await bench.monitor.acknowledge(bench.monitor.decision)
            let again = bench.restarted()
            again.transport.answer(Self.rules)
            #expect(await again.monitor.start().decision.rule == .alert)
        }
    }

    @Test("6.2.15 each feed has a memory of its own") func scopes() async throws {
        let memory = InMemoryGateMemory()
        let bench = Bench(Self.rules, memory: memory)
        await bench.monitor.start()
        await bench.monitor.acknowledge(bench.monitor.decision)
        let other = Bench(
            Self.rules.replacingOccurrences(of: "\"shop\"", with: "\"till\""),
            memory: memory,
            feed: try #require(URL(string: "https://gate.test/feeds/till/ios/gate.json"))
        )
        #expect(await other.monitor.start().decision.rule == .optionalUpdate)
    }

    @Test("6.2.15 two servers on one host share no memory; a port that the address does not name stays out of the names") func ports()
        async throws
    {
        let memory = InMemoryGateMemory()
        for port in [":1", ":2", ""] {
            let feed = try #require(URL(string: "https://gate.test\(port)/feeds/shop/ios/gate.json"))
            let bench = Bench(Self.rules, memory: memory, feed: feed)
            #expect(await bench.monitor.start().decision.rule == .optionalUpdate, "\(port)")
            await bench.monitor.acknowledge(bench.monitor.decision)
            #expect(memory.load("gatekit.gate.test\(port)/feeds/shop/ios/gate.json.record") != nil)
        }
    }

    @Test("6.2.15 an app and its extension with one memory keep what the other one has stored") func shared() async {
        let memory = InMemoryGateMemory()
        let (app, other) = (Bench(Self.rules, memory: memory), Bench(Self.rules, memory: memory))
        await app.monitor.start()
        await other.monitor.start()
        await app.monitor.acknowledge(app.monitor.decision)
        let newer = Documents.native([Documents.optional, Documents.alert].joined(separator: ","), sequence: 11)
        other.transport.answer(newer)
        #expect(await other.monitor.check(forced: true).decision.rule == .alert)
        // The app's record is older than the extension's.
        await app.monitor.acknowledge(app.monitor.decision)
        let again = app.restarted()
        again.transport.answer(newer)
        #expect(await again.monitor.start().decision.kind == .open)
        again.transport.answer(Self.rules)
        #expect(await again.monitor.check(forced: true).isStale, "sequence 11 was seen by the extension")
    }

    @Test("6.2.15 an older document does not take the place of the one that an extension has stored") func overtaken() async {
        let memory = InMemoryGateMemory()
        let (app, other) = (Bench(memory: memory), Bench(memory: memory))
        app.transport.answer(Documents.native("", sequence: 10), headers: ["ETag": "\"a\""])
        await app.monitor.start()
        other.transport.answer(Documents.native(Documents.kill, sequence: 11))
        #expect(await other.monitor.start().decision.kind == .blocked)
        app.transport.answer { _ in GateResponse(status: 304) }
        #expect(await app.monitor.check(forced: true).decision.kind == .open, "a cache that is two seconds behind")
        let again = app.restarted()
        again.transport.fail()
        #expect(await again.monitor.start().decision.kind == .blocked)
    }

    @Test("6.2.15 a record that cannot be read for now is not replaced", arguments: [1, 100]) func hidden(count: Int) async {
        let memory = FaultyMemory()
        let bench = Bench(Self.rules, memory: memory)
        await bench.monitor.start()
        await bench.monitor.acknowledge(bench.monitor.decision)
        memory.hide(".record", count: count)
        let blind = bench.restarted()
        blind.transport.answer(Self.rules.replacingOccurrences(of: #""sequence":10"#, with: #""sequence":11"#))
        await blind.monitor.start()
        memory.hide(".record", count: 0)
        let again = bench.restarted()
        again.transport.fail()
        #expect(await again.monitor.start().decision.rule == .alert)
    }

    @Test("6.2.15 what LaunchGate remembers is read from its slots") func legacy() async throws {
        let suite = "gatekit-tests-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
        defaults.set("4.3", forKey: "OPTIONAL_UPDATE")
        defaults.set("Told", forKey: "LAST_ALERT")
        let bench = Bench(Self.rules) { $0.legacy = .userDefaults(suite: suite) }
        #expect(await bench.monitor.start().decision.kind == .open)
        #expect(await Bench(Self.rules).monitor.start().decision.kind == .optional)
    }

    @Test(
        "6.2.18 what LaunchGate remembers is the last thing dismissed only until another one is",
        arguments: [(GateSeen.Extent.last, GateDecision.Kind.alert), (.all, .open)]
    )
    func legacyOnce(extent: GateSeen.Extent, kind: GateDecision.Kind) async {
        let bench = Bench(Documents.native(Documents.alert.replacingOccurrences(of: "Told", with: "New"))) {
            $0.legacy = GateLegacySlots { (nil, "Told") }
            $0.remembering = extent
        }
        await bench.monitor.acknowledge(bench.monitor.start().decision)
        let again = bench.restarted()
        again.transport.answer(Documents.native(Documents.alert))
        #expect(await again.monitor.start().decision.kind == kind)
    }

    @Test("6.2.15 a memory that is broken is begun anew, and said") func broken() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("memory.json", "{\"half")
        let bench = Bench(Documents.native(Documents.kill), memory: FileGateMemory(file: URL(fileURLWithPath: file)))
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        #expect(await bench.monitor.start().decision.kind == .blocked)
        await recorder.wait(for: "error memory keeps open")
        let again = bench.restarted()
        again.transport.fail()
        #expect(await again.monitor.start().decision.kind == .blocked)
    }

    @Test("6.2.15 a memory that takes nothing is said when the decision stands") func refusing() async {
        let memory = FaultyMemory()
        memory.refuse("")
        let bench = Bench(Documents.native(Documents.kill), memory: memory)
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        #expect(await bench.monitor.start().decision.kind == .blocked)
        await recorder.wait(for: "error memory keeps blocked")
        #expect(await recorder.words == ["willEngage killSwitch", "didEngage killSwitch", "state blocked", "error memory keeps blocked"])
    }

    private static let status = (closed: #"{"apiInactive":true,"userMessage":"Zu"}"#, open: #"{"apiInactive":false}"#)

    @Test("6.2.26 where a document could not be saved, the older one is not taken for current") func unsaved() async {
        let memory = FaultyMemory()
        let bench = Bench(Self.status.closed, memory: memory)
        await bench.monitor.start()
        memory.refuse(".document")
        bench.clock.setWall(by: 86_000)
        bench.transport.answer(Self.status.open)
        #expect(await bench.monitor.check(forced: true).decision.kind == .open)
        let again = bench.restarted()
        again.transport.fail()
        again.clock.setWall(by: 86_401)
        #expect(await again.monitor.start().decision.kind == .open)
    }

    @Test("6.2.26 where a newer document could not be saved, the older one still shuts out") func unsavedKill() async {
        let memory = FaultyMemory()
        let bench = Bench(Documents.native(Documents.kill), memory: memory)
        await bench.monitor.start()
        memory.refuse(".document")
        bench.transport.answer(Documents.native(Documents.kill, sequence: 11))
        await bench.monitor.check(forced: true)
        await #expect(throws: GateKitError.self) { try await bench.monitor.apply(Data(Documents.native("").utf8)) }
        let again = bench.restarted()
        again.transport.fail()
        #expect(await again.monitor.start().decision.kind == .blocked)
    }

    @Test("6.2.26 what could not be saved is saved when the server confirms it") func savedLater() async {
        let memory = FaultyMemory()
        let bench = Bench(Self.status.closed, memory: memory)
        await bench.monitor.start()
        memory.refuse(".document")
        bench.transport.answer(Self.status.open, headers: ["ETag": "\"b\""])
        await bench.monitor.check(forced: true)
        memory.refuse(nil)
        bench.transport.answer("", status: 304)
        await bench.monitor.check(forced: true)
        let again = bench.restarted()
        again.transport.fail()
        #expect(await again.monitor.start().decision.kind == .open)
    }

    /// Keeps so many values more, and no others: the app was ended between two of them.
    private final class EndingMemory: GateMemory, Sendable {
        private let kept = InMemoryGateMemory()
        private let left = Mutex(Int.max)

        func end(after saves: Int) { left.withLock { $0 = saves } }

        func load(_ name: String) -> Data? { kept.load(name) }

        func save(_ value: Data, as name: String) {
            let isRunning = left.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
            if isRunning { kept.save(value, as: name) }
        }
    }

    @Test("6.2.26 whichever write the app was ended after, it stays killed without a network", arguments: 0...3)
    func ended(writes: Int) async {
        let memory = EndingMemory()
        let bench = Bench(Documents.native(Documents.kill), memory: memory)
        await bench.monitor.start()
        memory.end(after: writes)
        bench.transport.answer(Documents.native(Documents.kill, sequence: 11))
        await bench.monitor.check(forced: true)
        let again = bench.restarted()
        again.transport.fail()
        #expect(await again.monitor.start().decision.kind == .blocked)
        // And the document that was kept last is not undone by an older one.
        again.transport.answer(Documents.native(""))
        #expect(await again.monitor.check(forced: true).decision.kind == (writes == 0 ? .open : .blocked))
    }

    @Test("6.2.16 nothing is remembered before the person acts; choosing the update is no putting away") func explicit() async throws {
        let bench = Bench(Self.rules)
        await bench.monitor.start()
        await bench.monitor.didDisplay(bench.monitor.decision)
        let again = bench.restarted()
        again.transport.answer(Self.rules)
        #expect(await again.monitor.start().decision.rule == .optionalUpdate)
    }

    @Test("6.2.16 a mode records when it is displayed, as LaunchGate does") func onDisplay() async throws {
        let bench = Bench(Self.rules) { $0.recording = .onDisplay }
        await bench.monitor.start()
        await bench.monitor.didDisplay(bench.monitor.decision)
        #expect(await bench.monitor.decision.rule == .optionalUpdate)
        let again = bench.restarted()
        again.transport.answer(Self.rules)
        #expect(await again.monitor.start().decision.rule == .alert)
    }

    @Test("6.2.13 what was recorded when it was displayed stays up until it is closed; then the next one comes") func open() async {
        let bench = Bench(Self.rules) { $0.recording = .onDisplay }
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        await bench.monitor.didDisplay(bench.monitor.decision)
        await bench.monitor.check(forced: true)
        await bench.monitor.enterForeground()
        #expect(await bench.monitor.decision.rule == .optionalUpdate)
        await bench.monitor.postpone(bench.monitor.decision)
        #expect(await bench.monitor.decision.rule == .alert)
        await bench.monitor.didDisplay(bench.monitor.decision)
        // Nobody has answered it, and it is taken from the screen: it was seen, and does not come back.
        bench.transport.answer(Documents.native(Documents.kill, sequence: 11))
        await bench.monitor.check(forced: true)
        bench.transport.answer(Documents.native([Documents.optional, Documents.alert].joined(separator: ","), sequence: 12))
        await bench.monitor.check(forced: true)
        await bench.monitor.enterForeground()
        #expect(await bench.monitor.decision.kind == .open)
        await recorder.wait(for: "didDisengage killSwitch")
        #expect(
            await recorder.transitions == [
                "notice optionalUpdate", "notice alert", "withdrawn alert", "willEngage killSwitch", "didEngage killSwitch",
                "willDisengage killSwitch", "didDisengage killSwitch",
            ]
        )
    }

    @Test("6.2.16 what is said to be displayed when it is closed already is remembered all the same") func displayedLate() async {
        let bench = Bench(Self.rules) { $0.recording = .onDisplay }
        await bench.monitor.start()
        let first = await bench.monitor.decision
        await bench.monitor.postpone(first)
        await bench.monitor.didDisplay(first)
        await bench.monitor.enterForeground()
        #expect(await bench.monitor.decision.rule == .alert)
    }

    @Test("6.2.16 what is put off comes back when the app comes to the foreground") func later() async throws {
        let bench = Bench(Documents.native(Documents.optional))
        await bench.monitor.start()
        await bench.monitor.postpone(bench.monitor.decision)
        #expect(await bench.monitor.decision.kind == .open)
        #expect(await bench.monitor.decision.suppressed == [.init(rule: .optionalUpdate, reason: "postponed")])
        await bench.monitor.enterForeground()
        #expect(await bench.monitor.decision.kind == .optional)
    }

    @Test(
        "6.2.17 versions and texts are remembered in whatever spelling",
        arguments: [
            ("7", "07", true), ("1.0", "1.0.0", true), ("1.0", "v1", true), ("1.0", "1.0.1", false), ("1.0", "1.0-rc", false),
        ]
    )
    func normalised(version: String, other: String, isSame: Bool) throws {
        let document = try Documents.read(Documents.native(#""optionalUpdate":{"optionalVersion":"\#(version)","message":"o"}"#))
        let seen = GateSeen(optionalVersions: [other], alerts: [])
        #expect(document.decide("0.1", seen: seen).kind == (isSame ? .open : .optional))
    }

    @Test("6.2.17 texts are compared trimmed, and as Unicode has them equal") func texts() throws {
        let document = try Documents.read(Documents.native(#""alert":{"message":"Caf\u00e9","blocking":false}"#))
        #expect(document.decide("4", seen: GateSeen(optionalVersions: [], alerts: [" Cafe\u{301}\n"])).kind == .open)
        #expect(document.decide("4", seen: GateSeen(optionalVersions: [], alerts: ["Cafe"])).kind == .alert)
    }

    @Test("6.2.18 the last alone is remembered, or all that was ever seen", arguments: [GateSeen.Extent.last, .all])
    func extents(extent: GateSeen.Extent) throws {
        var seen = GateSeen()
        func decision(_ text: String) throws -> GateDecision {
            try Documents.read(Documents.native(#""alert":{"message":"\#(text)","blocking":false}"#)).decide("4", seen: seen)
        }
        seen.acknowledge(try decision("A"), extent: extent)
        seen.acknowledge(try decision("B"), extent: extent)
        #expect(try decision("B").kind == .open)
        #expect(try decision("A").kind == (extent == .last ? .alert : .open))
    }

    @Test("6.2.18 ALWAYS is told each time, ONCE once", arguments: [("ALWAYS", true), ("always", true), ("ONCE", false), ("x", false)])
    func frequency(word: String, isRepeated: Bool) throws {
        let document = try Documents.read(#"{"ios2":[{"last_version_available":"4.3","notify_last_version_frequency":"\#(word)"}]}"#)
        let seen = GateSeen(optionalVersions: ["4.3"], alerts: [])
        #expect(document.decide("4.0", seen: seen).kind == (isRepeated ? .optional : .open))
    }

    @Test("6.2.13 6.2.18 what is told each time is closed when it is put away, and told again in the foreground") func always() async {
        let bench = Bench(#"{"ios2":[{"last_version_available":"4.3","notify_last_version_frequency":"ALWAYS"}]}"#)
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        #expect(await bench.monitor.decision.kind == .optional)
        await bench.monitor.acknowledge(bench.monitor.decision)
        #expect(await bench.monitor.decision.kind == .open)
        await bench.monitor.enterBackground()
        await bench.monitor.enterForeground()
        #expect(await bench.monitor.decision.kind == .optional)
        await recorder.wait(for: "state optional", count: 2)
        #expect(
            await recorder.words == [
                "notice optionalUpdate", "state optional", "state open", "notice optionalUpdate", "state optional",
            ]
        )
    }

    @Test("6.2.18 reading a decision twice changes nothing") func twice() async throws {
        let bench = Bench(Self.rules)
        await bench.monitor.start()
        let first = await bench.monitor.decision
        #expect(await bench.monitor.decision == first)
        #expect(await bench.monitor.state.decision == first)
        let document = try Documents.read(Self.rules)
        #expect(document.decide("4.0") == document.decide("4.0"))
    }
}
