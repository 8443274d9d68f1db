import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

@Suite struct WindowTests {
    struct Failure: Error {}

    static func window(_ id: Int, _ targets: String..., state: Window.State = .pending, start: Int64 = 100) throws -> Window {
        func time(_ seconds: Int64) throws -> ZonedTime {
            try ZonedTime(at: Timestamp(milliseconds: World.start + seconds * 1_000), zone: "Europe/Berlin")
        }
        let kill = try GateEdit(json: JSONReader.read(#"{"killSwitch":{"message":"a","retryInterval":30}}"#))
        return Window(
            id: id,
            state: state,
            targets: targets.map { Window.Target(key: TargetKey($0)!, revision: 1, expected: GateEdit([.killSwitch: nil])) },
            set: kill,
            start: try time(start),
            end: try time(start + 60),
            then: .restore,
            actor: Actor(kind: .user, name: "ann"),
            source: .api,
            reason: nil,
            events: [.init(at: Timestamp(milliseconds: World.start), what: .made, actor: Actor(kind: .user, name: "ann"))]
        )
    }

    private static let audit = AuditEntry(at: Timestamp(milliseconds: 1), actor: nil, action: "window.created", requestId: "r")

    @Test func windowsComeBackAsTheyWereWrittenAfterReopening() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        #expect(try store.loadSchedule() == StoredSchedule(active: [], lastID: 0, lastVersion: 0))
        let (one, two) = (try Self.window(1, "shop/ios", "shop/android"), try Self.window(2, "bank/ios", state: .done))
        try store.save([WindowRecord(window: one, version: 1), WindowRecord(window: two, version: 2)], audit: [Self.audit])
        try store.close()

        let again = try scratch.store()
        #expect(try again.window(id: 1)?.window == one)
        #expect(try again.window(id: 3) == nil)
        #expect(try again.loadSchedule() == StoredSchedule(active: [WindowRecord(window: one, version: 1)], lastID: 2, lastVersion: 2))
        try again.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address) == [])
    }

    @Test func listsAreNewestFirstAndNarrowedByAppStateAndPlace() throws {
        let store = try Scratch().store()
        let windows = [
            try Self.window(1, "shop/ios"), try Self.window(2, "bank/ios"), try Self.window(3, "shop/ios", "bank/ios", state: .missed),
            try Self.window(4, "shop/android", state: .done),
        ]
        for (index, window) in windows.enumerated() { try store.save([WindowRecord(window: window, version: index + 1)], audit: []) }
        func ids(_ query: WindowQuery) throws -> [Int] { try store.windows(query).map(\.window.id) }
        #expect(try ids(WindowQuery()) == [4, 3, 2, 1])
        #expect(try ids(WindowQuery(limit: 2)) == [4, 3])
        #expect(try ids(WindowQuery(before: 3)) == [2, 1])
        #expect(try ids(WindowQuery(app: .shop)) == [4, 3, 1])
        #expect(try ids(WindowQuery(app: .bank, states: [.pending])) == [2])
        #expect(try ids(WindowQuery(states: [.missed, .done])) == [4, 3])
        #expect(try ids(WindowQuery(states: [])) == [])
        func ids(of apps: Set<AppKey>, limit: Int = 50) throws -> [Int] {
            try store.windows(WindowQuery(limit: limit), bytes: .max, of: .only(apps)).records.map(\.window.id)
        }
        #expect(try ids(of: [.bank]) == [3, 2])
        #expect(try ids(of: [.bank], limit: 1) == [3], "and not the newest of all")
        #expect(try ids(of: [.bank, .shop]) == [4, 3, 2, 1])
        #expect(try ids(of: []) == [])
    }

    /// A list remembers what texts say, but tells every row as it stands.
    @Test func aListThatWasReadBeforeTellsWhatHasChangedSince() throws {
        let store = try Scratch().store()
        var window = try Self.window(1, "shop/ios", "shop/android")
        try store.save([WindowRecord(window: window, version: 1)], audit: [])
        func read() throws -> WindowRecord { try #require(try store.windows(WindowQuery(), bytes: .max).records.first) }
        #expect(try read().document == window.json.text)
        #expect(try read() == read())

        window.state = .done
        try store.save([WindowRecord(window: window, version: 2, previous: 1)], audit: [])
        #expect(try read().window == window)
        #expect(try read().document == window.json.text)
        #expect(try read().isSigned)

        func alter(_ document: String) throws {
            try store.writer.run { db in try db.execute(sql: "UPDATE windows SET document = \(document) WHERE id = 1") }
        }
        try alter("replace(document, '\"reason\":null', '\"reason\":\"x\"')")
        #expect(try read().window.reason == "x")
        #expect(try !read().isSigned)
        // The same window, but not as this release writes it.
        try alter("replace(document, ',\"reason\"', ', \"reason\"')")
        #expect(try read().window.reason == "x")
        #expect(try read().document == nil)
        try alter("'x'")
        #expect(try read().window.fault == "document is not JSON: no JSON value starts here (at byte 0)")
        #expect(try read().document == nil)
    }

    /// Windows whose texts are too much to remember at once are told all the same.
    @Test(arguments: [0, 1_000, 3_000, 1_000_000]) func moreTextsThanAreRememberedAreTold(most: Int) throws {
        let texts = WindowTexts(most: most)
        let windows = try (1...8).map { id in try Self.window(id, "shop/ios") }
        for window in windows + windows {
            let known = try texts.read(window.json.text, of: window.id)
            #expect(known.window == window)
            #expect(known.isAsWritten)
            #expect(texts.bytes <= max(most, window.json.bytes.count))
        }
    }

    @Test func whoWasNotFirstIsAConflict() throws {
        let store = try Scratch().store()
        var window = try Self.window(1, "shop/ios")
        try store.save([WindowRecord(window: window, version: 1)], audit: [])
        window.state = .cancelled
        try store.save([WindowRecord(window: window, version: 2, previous: 1)], audit: [])
        for late in [WindowRecord(window: window, version: 3, previous: 1), WindowRecord(window: window, version: 2, previous: 2)] {
            #expect(code { try store.save([late], audit: [Self.audit]) } == .conflict)
        }
        #expect(try store.window(id: 1)?.version == 2)
        #expect(try store.audit().isEmpty)
    }

    /// A window's step and the change that it makes are one transaction: whatever fails, there is neither or both.
    @Test(arguments: StoreConfiguration.CommitStep.allCases) func aStepAndItsChangeAreKeptTogether(step: StoreConfiguration.CommitStep)
        throws
    {
        let scratch = try Scratch()
        let store = try scratch.store { $0.failpoint = { if $0 == step, scratch.clock.now.milliseconds > World.start { throw Failure() } } }
        var world = try store.fill()
        var window = try Self.window(1, "shop/ios")
        try store.save([WindowRecord(window: window, version: 1)], audit: [])
        let before = (try store.loadState(), try store.loadSchedule())
        window.state = .running
        let commit = world.set([.shopIOS: .open], source: .schedule)
        let both = Commit(change: commit.change, apps: commit.apps, windows: [WindowRecord(window: window, version: 2, previous: 1)])

        scratch.clock.advance(seconds: 1)
        #expect(code { try store.commit(both) } == .internal)
        #expect(try store.loadState() == before.0)
        #expect(try store.loadSchedule() == before.1)

        scratch.clock.advance(seconds: -1)
        try store.commit(both)
        #expect(try store.loadState() == world.state)
        #expect(try store.loadSchedule().active == [WindowRecord(window: window, version: 2)])
        // The change is not written a second time for a window that is past it.
        let next = world.set([.shopIOS: .killed], source: .schedule)
        #expect(code { try store.commit(Commit(change: next.change, apps: next.apps, windows: both.windows)) } == .conflict)
    }

    @Test func windowsCannotBeDeleted() throws {
        let scratch = try Scratch()
        try scratch.store().closing { try $0.save([WindowRecord(window: Self.window(1, "shop/ios"), version: 1)], audit: []) }
        #expect(throws: (any Error).self) { try scratch.tamper("DELETE FROM window_targets; DELETE FROM windows") }
    }
}
