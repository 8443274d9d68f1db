import Foundation
import GateJSON
import GateModel
import GateService
import Logging
import Synchronization
import Testing

@testable import gatehouse

/// What the server tells of its night, line by line.
struct NightStoryTests {
    private final class Lines: Sendable {
        private let kept = Mutex<[(message: String, metadata: Logger.Metadata)]>([])
        func append(_ message: String, _ metadata: Logger.Metadata) { kept.withLock { $0.append((message, metadata)) } }
        func take() -> [(message: String, metadata: Logger.Metadata)] {
            kept.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private struct Keeper: LogHandler {
        let lines: Lines
        var logLevel: Logger.Level = .trace
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { lines.append(event.message.description, event.metadata ?? [:]) }
    }

    private let lines = Lines()

    private func story() -> NightStory {
        NightStory(Logger(label: "test") { [lines] _ in Keeper(lines: lines) })
    }

    @Test func aClockThatIsSetIsALineEachTime() {
        let story = story()
        let noon = Timestamp(milliseconds: 1_800_000_000_000)
        story.look(at: noon, elapsed: 5_000)
        story.look(at: noon.advanced(bySeconds: 1), elapsed: 6_000)
        // A second that took three, of both clocks, is a busy machine.
        story.look(at: noon.advanced(bySeconds: 4), elapsed: 9_000)
        #expect(lines.take().isEmpty)
        story.look(at: noon.advanced(bySeconds: 3_605), elapsed: 10_000)
        let forward = lines.take()
        #expect(forward.map(\.message) == ["the machine's clock was put forward"])
        #expect(forward.first?.metadata["seconds"]?.description == "3600")
        story.look(at: noon.advanced(bySeconds: 3_606), elapsed: 11_000)
        #expect(lines.take().isEmpty)
        story.look(at: noon.advanced(bySeconds: 7), elapsed: 12_000)
        #expect(lines.take().map(\.message) == ["the machine's clock was put back"])
    }

    @Test func healthIsALineWhenItTurns() {
        let story = story()
        story.look(at: Health(state: .ok, reasons: []))
        story.look(at: Health(state: .ok, reasons: []))
        #expect(lines.take().isEmpty)
        story.look(at: Health(state: .degraded, reasons: ["database: the disk is full"]))
        story.look(at: Health(state: .degraded, reasons: ["database: the disk is full"]))
        #expect(lines.take().map { $0.metadata["reasons"]?.description } == ["database: the disk is full"])
        // Another reason is news, though the state is as it was.
        story.look(at: Health(state: .degraded, reasons: ["database: it cannot be read"]))
        #expect(lines.take().map { $0.metadata["reasons"]?.description } == ["database: it cannot be read"])
        story.look(at: Health(state: .ok, reasons: []))
        #expect(lines.take().map { $0.metadata["state"]?.description } == ["ok"])
    }

    /// A line of a thousand targets would be longer than a log takes.
    @Test(arguments: [(20, nil), (21, "1"), (1_000, "980")])
    func aChangeNamesTwentyTargetsAndHowManyMore(count: Int, more: String?) throws {
        let targets = try (1...count).map { number in
            let target = try #require(TargetKey("app\(number)/ios"))
            return ChangedTarget(target: target, previous: 1, revision: 2, before: .open, after: .open)
        }
        let change = Change(
            sequence: 7,
            at: Timestamp(milliseconds: 1_800_000_000_000),
            actor: Actor(kind: .user, name: "ann"),
            source: .dashboard,
            kind: .set,
            reason: nil,
            requestId: "r",
            app: nil,
            targets: targets
        )
        story().tell(change)
        let line = try #require(lines.take().first)
        #expect(line.metadata["more"]?.description == more)
        let named = try #require(line.metadata["targets"]?.description).components(separatedBy: "; ")
        #expect(named.count == min(count, 20) && named[0] == "app1/ios open at revision 2")
    }

    @Test func wholeNumbersAreNumbersOnTheLine() throws {
        let line = JSONLines.line(.info, "m", ["sequence": .stringConvertible(12), "name": "12"])
        let object = try JSONReader.read(String(decoding: line.dropLast(), as: UTF8.self)).object
        #expect(object?["sequence"]?.integer == 12)
        #expect(object?["name"]?.string == "12")
    }
}
