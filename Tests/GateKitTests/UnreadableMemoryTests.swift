import Foundation
import GateTesting
import Testing

@testable import GateKit

/// A memory that cannot be read or written for a while, as a phone's files before it is unlocked for the first time or when it is full.
@Suite(.timeLimit(.minutes(1))) struct UnreadableMemoryTests {
    private static let closed = Documents.native(Documents.kill)

    /// A monitor that was started without a network while its memory, in which this gate was stored, could not be read; now it can be.
    private static func unlocked(_ gate: String, unread ending: String, dismiss: Bool = false) async -> (Bench, FaultyMemory) {
        let memory = FaultyMemory()
        let before = Bench(gate, memory: memory)
        await before.monitor.start()
        if dismiss { await before.monitor.acknowledge(before.monitor.decision) }
        memory.hide(ending, count: .max)
        let bench = before.restarted()
        bench.transport.fail()
        await bench.monitor.start()
        memory.hide(ending, count: 0)
        return (bench, memory)
    }

    @Test("6.2.26 what could not be read at the start still shuts out once it can be", arguments: ["", ".document", ".confirmed"])
    func stillShut(unread: String) async {
        let (bench, _) = await Self.unlocked(Self.closed, unread: unread)
        #expect(await bench.monitor.decision.kind == .open)
        #expect(await bench.monitor.enterForeground().decision.kind == .blocked)
    }

    @Test("6.2.26 an older document is refused although the record could not be read at the start", arguments: ["", ".record"])
    func rollback(unread: String) async {
        let (bench, _) = await Self.unlocked(Self.closed, unread: unread)
        bench.transport.answer(Documents.native("", sequence: 9))
        let state = await bench.monitor.check(forced: true)
        #expect(state.decision.kind == .blocked)
        #expect(state.isStale)
    }

    @Test(
        "6.2.26 what came while nothing could be read counts, unless what was stored is newer",
        arguments: [(9, GateDecision.Kind.blocked), (10, .open), (11, .open)]
    )
    func meanwhile(sequence: Int, kind: GateDecision.Kind) async {
        let (bench, memory) = await Self.unlocked(Self.closed, unread: "")
        memory.hide("", count: .max)
        memory.refuse("")
        bench.transport.answer(Documents.native("", sequence: sequence))
        #expect(await bench.monitor.check(forced: true).decision.kind == .open)
        memory.hide("", count: 0)
        #expect(await bench.monitor.check().decision.kind == kind)
    }

    @Test("6.2.26 the tag that is sent is the one of the document that is known") func tag() async {
        let memory = FaultyMemory()
        let before = Bench(Self.closed, memory: memory)
        before.transport.answer(Self.closed, headers: ["ETag": "\"ten\""])
        await before.monitor.start()
        memory.hide("", count: .max)
        memory.refuse("")
        let bench = before.restarted()
        bench.transport.answer(Documents.native("", sequence: 9), headers: ["ETag": "\"nine\""])
        await bench.monitor.start()
        // By the time that it can be read, what was stored is too old to be shown.
        memory.hide("", count: 0)
        memory.refuse(nil)
        bench.clock.setWall(by: 172_800)
        bench.transport.answer { request in
            request.headers["If-None-Match"] == "\"ten\""
                ? GateResponse(status: 304) : GateResponse(status: 200, headers: ["ETag": "\"ten\""], body: Data(Self.closed.utf8))
        }
        #expect(await bench.monitor.check(forced: true).decision.kind == .blocked)
    }

    @Test("6.2.14 what was dismissed is not asked again once the record can be read") func dismissed() async {
        let rules = Documents.native(Documents.optional)
        let (bench, memory) = await Self.unlocked(rules, unread: "", dismiss: true)
        memory.hide("", count: .max)
        bench.transport.answer(rules)
        #expect(await bench.monitor.check(forced: true).decision.kind == .optional)
        memory.hide("", count: 0)
        #expect(await bench.monitor.check().decision.kind == .open)
    }

    @Test(
        "6.2.14 a dismissal that could not be stored is stored with the next document",
        arguments: [Documents.native(Documents.optional), Self.list]
    )
    func storedLater(rules: String) async {
        let memory = FaultyMemory()
        let bench = Bench(rules, memory: memory)
        await bench.monitor.start()
        memory.refuse("")
        await bench.monitor.acknowledge(bench.monitor.decision)
        memory.refuse(nil)
        await bench.monitor.check(forced: true)
        let again = bench.restarted()
        again.transport.answer(rules)
        #expect(await again.monitor.start().decision.kind == .open)
    }

    private static let list = #"{"ios":[{"last_version_available":"4.3"}]}"#

    @Test("6.2.36 the installation's name is not replaced when it cannot be read for now") func installation() {
        let memory = FaultyMemory()
        let name = GatePhone.installID(in: memory)
        memory.hide("", count: 1)
        #expect(GatePhone.installID(in: memory) != name)
        #expect(GatePhone.installID(in: memory) == name)
    }

    @Test("6.2.36 an installation's name that can never be read is made anew") func brokenInstallation() throws {
        let folder = try TemporaryFolder()
        let memory = FileGateMemory(file: URL(fileURLWithPath: try folder.file("memory.json", "{\"half")))
        let name = GatePhone.installID(in: memory)
        #expect(GatePhone.installID(in: memory) == name)
    }
}
