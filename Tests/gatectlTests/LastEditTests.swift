import GateJSON
import GateModel
import Testing

@testable import gatectl

/// Which change `rollback --last` takes back.
struct LastEditTests {
    private static let key = TargetKey("shop/ios")!
    private static let other = TargetKey("shop/android")!

    /// A change of a target, as the history has it.
    private struct Entry: Sendable {
        var previous: Int
        var revision: Int
        var before = ""
        var after = ""
        var fault: String?
        var isLeftOut = false
    }

    private static func change(_ sequence: Int, _ entry: Entry) -> Change {
        func gate(_ text: String) -> Gate {
            var gate = Gate.open
            if !text.isEmpty { gate.alert = Alert(message: .text(text), blocking: false) }
            return gate
        }
        let mine = ChangedTarget(
            target: key,
            previous: entry.previous,
            revision: entry.revision,
            before: gate(entry.before),
            after: gate(entry.after),
            fault: entry.fault
        )
        // Whatever is done to another target of the same change is that target's.
        let beside = ChangedTarget(target: other, previous: 7, revision: 8, before: gate("x"), after: gate("y"))
        var change = Change(
            sequence: sequence,
            at: Timestamp(milliseconds: 0),
            actor: Actor(kind: .user, name: "ann"),
            source: .gatectl,
            kind: .set,
            reason: nil,
            requestId: "r",
            app: nil,
            targets: entry.isLeftOut ? [beside] : [beside, mine]
        )
        if entry.isLeftOut { change.omitted = 1 }
        return change
    }

    private static func found(_ entries: [Entry], from seen: Int) -> [Int]? {
        var search = LastEdit.Search(key: key, from: seen)
        search.look(at: entries.enumerated().map { change(100 - $0.offset, $0.element) })
        return search.found.map { [$0.sequence, $0.revision, $0.previous] } ?? (search.isOver ? nil : [])
    }

    private static let made = Entry(previous: 0, revision: 1)
    private static let told = Entry(previous: 1, revision: 2, after: "a")
    private static let set = Entry(previous: 2, revision: 3, before: "a", after: "a")

    @Test(arguments: [
        ("the last one", [told, made], 2, [100, 2, 1]), ("settings are passed over", [set, told, made], 3, [99, 2, 1]),
        ("what came after it was seen is passed over", [set, told, made], 2, [99, 2, 1]),
        ("a restore has left revisions out", [Entry(previous: 3, revision: 40, before: "a"), set, told, made], 40, [100, 40, 3]),
        ("what cannot be read may have been one", [Entry(previous: 3, revision: 4, fault: "torn"), set, told, made], 4, [100, 4, 3]),
        ("what the answer left out too", [Entry(previous: 3, revision: 4, isLeftOut: true), set, told, made], 4, [100, 4, 3]),
        ("the history goes on elsewhere", [set], 3, []),
    ])
    private func theLastChangeOfTheGateIsFound(name: String, entries: [Entry], seen: Int, expected: [Int]) {
        #expect(Self.found(entries, from: seen) == expected, "\(name)")
    }

    /// The first revision of a target has nothing before it, and neither has the first after it was removed.
    @Test func aTargetBeginsWithItsCreation() {
        #expect(Self.found([Self.made], from: 1) == nil)
        #expect(Self.found([Entry(previous: 0, revision: 4, after: "b"), Self.told, Self.made], from: 4) == nil)
        #expect(Self.found([Self.made], from: 0) == [])
    }
}
