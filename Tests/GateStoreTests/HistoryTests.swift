import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

@Suite struct HistoryTests {
    /// Changes of two apps by several actors from several sources.
    private func filled() throws -> (Store, [Change]) {
        let store = try Scratch().store()
        var world = try store.fill()
        world.owners = ["ci": "ben"]
        try store.commit(world.saveApp(.bank, name: "Bank", actor: "ben"))
        try store.commit(world.create(.bankIOS, actor: "ben"))
        let sources = Change.Source.allCases
        for number in 0..<30 {
            let gate: Gate = number.isMultiple(of: 2) ? .everything : .killed
            let targets: [TargetKey: Gate] =
                switch number % 4 {
                case 0: [.shopIOS: gate]
                case 1: [.shopIOS: gate, .shopAndroid: gate]
                case 2: [.bankIOS: gate]
                default: [.bankIOS: gate, .shopAndroid: gate, .shopIOS: gate]
                }
            try store.commit(world.set(targets, actor: ["ann", "ben", "ci"][number % 3], source: sources[number % 5]))
        }
        try store.commit(world.saveApp(.shop, name: "The shop", actor: "ci"))
        return (store, world.changes)
    }

    /// What a query means, said without SQL.
    private func expected(_ query: ChangeQuery, _ changes: [Change]) -> [Int] {
        let wanted = changes.reversed().filter { change in
            if let app = query.app, change.app != app || query.platform != nil {
                let targets = change.targets.filter { $0.target.app == app }
                if query.platform.map({ platform in !targets.contains { $0.target.platform == platform } }) ?? targets.isEmpty {
                    return false
                }
            } else if let platform = query.platform, !change.targets.contains(where: { $0.target.platform == platform }) {
                return false
            }
            return query.actor.map { change.actor.answers(to: $0) } ?? true
                && query.source.map { $0 == change.source } ?? true
                && query.since.map { $0 <= change.at } ?? true
                && query.until.map { change.at < $0 } ?? true
                && query.after.map { $0 < change.sequence } ?? true
                && query.before.map { change.sequence < $0 } ?? true
        }
        return wanted.prefix(query.limit).map(\.sequence)
    }

    @Test func everyCombinationOfFiltersGivesWhatItSays() throws {
        let (store, changes) = try filled()
        var queries = 0
        for app in [nil, AppKey.shop, .bank, AppKey("nothing")] {
            for platform in [nil, PlatformKey.ios, .android] {
                for actor in [nil, "ben", "ci"] {
                    for source in [nil, Change.Source.dashboard] {
                        for (since, until) in [(nil, nil), (changes[8].at, changes[30].at)] as [(Timestamp?, Timestamp?)] {
                            for (after, before) in [(nil, nil), (5, 33)] as [(Int?, Int?)] {
                                for limit in [3, 500] {
                                    let query = ChangeQuery(
                                        app: app,
                                        platform: platform,
                                        actor: actor,
                                        source: source,
                                        since: since,
                                        until: until,
                                        after: after,
                                        before: before,
                                        limit: limit
                                    )
                                    #expect(try store.changes(query).map(\.sequence) == expected(query, changes), "\(query)")
                                    queries += 1
                                }
                            }
                        }
                    }
                }
            }
        }
        #expect(queries == 576)
    }

    @Test func pagesJoinWithoutGapOrDouble() throws {
        let (store, changes) = try filled()
        var cursor: Int?
        var seen: [Change] = []
        repeat {
            let page = try store.changes(ChangeQuery(app: .shop, before: cursor, limit: 4))
            seen += page
            cursor = page.last?.sequence
            try #require(seen.count <= changes.count)
        } while cursor != nil
        #expect(seen.map(\.sequence) == expected(ChangeQuery(app: .shop, limit: 500), changes))
    }

    @Test func aChangeComesBackAsItWasWritten() throws {
        let (store, changes) = try filled()
        #expect(try store.changes(ChangeQuery(limit: 500)) == changes.reversed())
    }

    @Test func everyRevisionOfATargetIsKept() throws {
        let (store, changes) = try filled()
        for change in changes {
            for target in change.targets {
                let revision = try #require(try store.gate(of: target.target, revision: target.revision))
                #expect(revision == StoredRevision(sequence: change.sequence, gate: target.after, settings: target.settings?.after))
            }
        }
        #expect(try store.gate(of: .shopIOS, revision: 0) == nil)
        #expect(try store.gate(of: .shopIOS, revision: 999) == nil)
        #expect(try store.gate(of: TargetKey("no/ios")!, revision: 1) == nil)
    }

    /// With a million changes a page must not sort or scan: SQLite's own plan says what it would do.
    @Test(
        .onSQLite,
        arguments: [
            ChangeQuery(), ChangeQuery(before: 900), ChangeQuery(app: .shop), ChangeQuery(app: .shop, platform: .ios),
            ChangeQuery(platform: .ios), ChangeQuery(actor: "ann"),
            ChangeQuery(source: .api), ChangeQuery(app: .shop, actor: "ann"), ChangeQuery(app: .shop, platform: .ios, before: 900),
        ]
    )
    func aPageIsReadFromAnIndexInItsOrder(query: ChangeQuery) throws {
        let (store, _) = try filled()
        let select = ChangeQuerySQL(query, on: .sqlite)
        let plan = try store.read("x") { db in
            try db.rows(sql: "EXPLAIN QUERY PLAN " + select.sql, arguments: select.arguments).map { try $0.stored("detail") as String }
        }
        #expect(!plan.isEmpty)
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test func aChangeThatThisGatehouseCannotReadIsToldAsFarAsItCan() throws {
        let store = try Scratch().store()
        let world = try store.fill()
        try store.writer.run { db in
            try db.execute(
                sql: Scratch.words("DROP TRIGGER changes_are_not_updated; UPDATE changes SET source = 'telepathy' WHERE sequence = 2")
            )
        }
        let changes = try store.changes()
        #expect(changes.count == 4)
        #expect(changes.filter(\.isUnreadable).map(\.sequence) == [2])
        #expect(changes[2].fault == "source has a value that this gatehouse does not know")
        #expect(changes[2].targets == world.changes[1].targets)
    }
}
