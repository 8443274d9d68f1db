import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// Feeds of own shapes as they are kept.
@Suite struct OwnFeedRowTests {
    static let status = OwnFeed(name: OwnFeedName("status")!, platform: .ios, template: "{\n  \"a\": \"ü\"\n}\n")
    static let other = OwnFeed(name: OwnFeedName("other")!, platform: nil, template: "[]", acceptsTypeChanges: true)

    private func filled() throws -> (Scratch, World) {
        let scratch = try Scratch()
        let world = try scratch.store().closing { store in
            var world = try store.fill()
            for feed in [Self.status, Self.other] { try store.commit(world.put(feed, of: .shop)) }
            return world
        }
        return (scratch, world)
    }

    private func faults(_ scratch: Scratch) throws -> [String] {
        try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations).map(\.description)
    }

    @Test func theyAreReadAsTheyWereWritten() throws {
        var (scratch, world) = try filled()
        #expect(try scratch.store().closing { try $0.loadState() } == world.state)
        #expect(try faults(scratch) == [])
        try scratch.store().closing { store in
            try store.commit(world.put(OwnFeed(name: Self.status.name, platform: .ios, template: "{}"), of: .shop))
            try store.commit(world.remove(Self.other.name, of: .shop))
            #expect(try store.loadState() == world.state)
        }
        #expect(try faults(scratch) == [])
    }

    @Test func anAppTakesThemAlong() throws {
        var (scratch, world) = try filled()
        try scratch.store().closing { store in
            try store.commit(world.delete(.shop))
            #expect(try store.loadState().apps == [])
            try store.commit(world.saveApp(.shop))
            #expect(try store.loadState() == world.state)
        }
        #expect(try faults(scratch) == [])
    }

    @Test(arguments: [
        (
            "UPDATE own_feeds SET document = replace(document, '\\n', '') WHERE name = 'status'",
            "own_feeds row shop/status: is not what the history says"
        ),
        ("DELETE FROM own_feeds WHERE name = 'other'", "own_feeds row shop/other: is missing"),
        ("INSERT INTO own_feeds VALUES ('shop', 'third', '{}')", "own_feeds row shop/third: is not what the history says"),
    ])
    func whatTheHistoryDoesNotSayIsFound(sql: String, fault: String) throws {
        let (scratch, _) = try filled()
        try scratch.tamper(sql)
        #expect(try faults(scratch).contains(fault))
    }

    /// A page that was lost has fewer rows, each of them right.
    @Test func aStartBelievesNoAppThatLostFeeds() throws {
        let (scratch, _) = try filled()
        try scratch.dropTriggers()
        try scratch.tamper("DELETE FROM own_feeds WHERE name = 'other'")
        try scratch.store().closing { store in
            let error = #expect(throws: StoreError.self) { _ = try store.loadState() }
            #expect(error?.code == .corrupt)
            #expect(error.map { "\($0)".contains("own_feeds row shop: are not the 2 that were written") } == true)
        }
    }

    /// As with a target: the app is served as it was published last, and the others as ever.
    /// Bytes that are no text are none of a text's to PostgreSQL.
    @Test(
        arguments: [
            "UPDATE own_feeds SET document = '{'", "UPDATE own_feeds SET document = replace(document, 'status', 'gate')",
            "UPDATE own_feeds SET name = 'x y' WHERE name = 'status'", "UPDATE own_feeds SET document = CAST(x'ff' AS TEXT)",
        ].filter { TestEngine.current == .sqlite || !$0.contains("CAST(x'") }
    )
    func aRowThatNobodyCanReadSealsItsApp(sql: String) throws {
        var (scratch, world) = try filled()
        try scratch.store().closing { store in
            try store.commit(world.saveApp(.bank, name: "Bank"))
            try store.commit(world.create(.bankIOS))
        }
        try scratch.tamper("PRAGMA ignore_check_constraints = ON; " + sql)
        let state = try scratch.store().closing { try $0.loadState() }
        #expect(state.apps.map(\.key) == [.bank])
        #expect(state.sealed.map(\.key) == [.shop])
        #expect(state.unreadable.first?.name.hasPrefix("own_feeds row shop/") == true)
    }

    @Test func aChangeThatTellsTwoStoriesIsNotWritten() throws {
        var (scratch, world) = try filled()
        let store = try scratch.store()
        let commit = world.put(Self.status, of: .shop)
        let wrong = Commit(change: commit.change, apps: commit.apps, ownFeeds: [OwnFeedEdit(app: .shop, name: Self.status.name, feed: nil)])
        #expect(code { try store.commit(wrong) } == .internal)
    }
}
