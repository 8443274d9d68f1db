import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

@Suite struct CommitTests {
    struct Failure: Error {}

    @Test func whatIsCommittedIsThereAfterReopening() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        try store.commit(world.set([.shopIOS: .everything, .shopAndroid: .killed], reason: nil))
        try store.close()

        let again = try scratch.store()
        #expect(try again.loadState() == world.state)
        #expect(try again.changes(ChangeQuery(limit: 500)) == world.changes.reversed())
    }

    @Test(.onSQLite, arguments: [StoreConfiguration.Journal.wal, .truncate]) func bothJournalsKeepTheSame(
        journal: StoreConfiguration.Journal
    ) throws {
        let scratch = try Scratch()
        let store = try scratch.store { $0.journal = journal }
        let world = try store.fill()
        #expect(try store.loadState() == world.state)
        #expect((store.walBytes > 0) == (journal == .wal))
        try store.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address) == [])
    }

    /// R7: history, gates and idempotency record are one transaction, wherever it fails.
    @Test(arguments: StoreConfiguration.CommitStep.allCases) func aFailureAtAnyStepLeavesNothing(step: StoreConfiguration.CommitStep) throws
    {
        let scratch = try Scratch()
        var world = try scratch.store().closing { try $0.fill() }
        let before = world
        let record = IdempotencyRecord(actor: "user:ann", key: "k", requestDigest: .zero, status: 200, body: [1], at: scratch.clock.now)
        let commit = world.set(
            [.shopIOS: .open, .shopAndroid: .killed],
            settings: [.shopAndroid: PlatformSettings(versionScheme: .code, releases: ["41"])]
        )
        .with(record)

        let failing = try scratch.store { $0.failpoint = { if $0 == step { throw Failure() } } }
        #expect(code { try failing.commit(commit) } == .internal)
        #expect(try failing.loadState() == before.state)
        #expect(try failing.changes(ChangeQuery(after: commit.change.sequence - 1)).isEmpty)
        #expect(try failing.idempotencyRecord(actor: "user:ann", key: "k") == nil)
        try failing.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address) == [])

        let store = try scratch.store()
        try store.commit(commit)
        #expect(try store.loadState() == world.state)
        #expect(try store.idempotencyRecord(actor: "user:ann", key: "k") == record)
    }

    @Test func aStaleRevisionIsAConflictAndTheSecondOfTwoWritersLoses() throws {
        let store = try Scratch().store()
        var world = try store.fill()
        var other = world
        let first = world.set([.shopIOS: .open])
        let second = other.set([.shopIOS: .everything])
        try store.commit(first)
        #expect(code { try store.commit(second) } == .conflict)
        #expect(try store.loadState() == world.state)
    }

    @Test func revisionsThatDoNotFollowAreConflicts() throws {
        let store = try Scratch().store()
        let world = try store.fill()
        for (previous, revision) in [(1, 2), (2, 4), (3, 4), (0, 1), (0, 3)] {
            var target = world.apps[.shop]!.platforms[.ios]!
            target.gate = .open
            target.revision = revision
            target.sequence = 5
            let settings: SettingsChange? = previous == 0 ? SettingsChange(before: nil, after: target.settings) : nil
            let changed = ChangedTarget(
                target: .shopIOS,
                previous: previous,
                revision: revision,
                before: .killed,
                after: .open,
                settings: settings
            )
            let change = world.changes[3].with(sequence: 5, targets: [changed])
            let app = App(key: .shop, name: "Shop", platforms: [.ios: target])
            #expect(code { try store.commit(Commit(change: change, apps: [app])) } == .conflict, "\(previous) to \(revision)")
        }
        #expect(try store.loadState() == world.state)
    }

    @Test(arguments: [-1, 0, 4, 6, Int.max]) func onlyTheNextSequenceIsTaken(sequence: Int) throws {
        let store = try Scratch().store()
        let world = try store.fill()
        let change = Change(
            sequence: sequence,
            at: scratchTime,
            actor: Actor(kind: .system, name: "x"),
            source: .api,
            kind: .settings,
            reason: nil,
            requestId: "r",
            app: .shop,
            targets: []
        )
        #expect(code { try store.commit(Commit(change: change, apps: [])) } == .conflict)
        #expect(try store.loadState() == world.state)
    }

    @Test func historyAndGatesCannotTellTwoStories() throws {
        let store = try Scratch().store()
        let world = try store.fill()
        let app = world.apps[.shop]!
        var wrong: [(String, Commit)] = []
        func add(_ name: String, _ alter: (inout App) -> Void) {
            var next = world
            let commit = next.set([.shopIOS: .open])
            var altered = commit.apps[0]
            alter(&altered)
            wrong.append((name, Commit(change: commit.change, apps: [altered])))
        }
        add("another gate") { $0.platforms[.ios]!.gate = .everything }
        add("another revision") { $0.platforms[.ios]!.revision += 1 }
        add("another sequence") { $0.platforms[.ios]!.sequence -= 1 }
        add("no such target") { $0.platforms[.ios] = nil }
        add("a target that is not named") { $0.platforms[.android]!.sequence = 5 }
        var next = world
        let deletion = next.delete(.shopIOS)
        let changed = deletion.change.targets[0]
        let unnamed = ChangedTarget(
            target: changed.target,
            previous: changed.previous,
            revision: changed.revision,
            before: changed.before,
            after: changed.after
        )
        wrong.append(
            (
                "a deletion without settings",
                Commit(change: deletion.change.with(sequence: 5, targets: [unnamed]), apps: [], removedTargets: [.shopIOS])
            )
        )
        wrong.append(
            ("a removal that is not named", Commit(change: deletion.change, apps: [app], removedTargets: [.shopIOS, .shopAndroid]))
        )
        wrong.append(("an app removed with a platform that is not named", Commit(change: deletion.change, apps: [], removedApps: [.shop])))
        wrong.append(
            (
                "a target named twice",
                Commit(change: deletion.change.with(sequence: 5, targets: [changed, changed]), apps: [], removedTargets: [.shopIOS])
            )
        )
        for (name, commit) in wrong { #expect(code { try store.commit(commit) } == .internal, "\(name)") }
        #expect(try store.loadState() == world.state)
        #expect(try store.chainHead().sequence == 4)
    }

    @Test func aDeletedKeyGoesOnCounting() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        try store.commit(world.delete(.shopIOS))
        #expect(try store.loadState().retired == [.shopIOS: 3])
        try store.commit(world.delete(.shop))
        #expect(try store.loadState().retired == [.shopIOS: 3, .shopAndroid: 2])
        #expect(try store.loadState().apps.isEmpty)
        try store.commit(world.saveApp(.shop))
        try store.commit(world.create(.shopIOS))
        let state = try store.loadState()
        #expect(state == world.state)
        #expect(state.apps[0].platforms[.ios]?.revision == 4)
        #expect(state.retired == [.shopAndroid: 2])
        try store.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address) == [])
    }

    @Test(.onSQLite) func otherAppsRowsAreNotTouched() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        try store.commit(world.saveApp(.bank, name: "Bank"))
        try store.commit(world.create(.bankIOS))
        // Whatever writes one of the other rows now fails.
        try store.writer.run { db in
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER a BEFORE UPDATE ON targets WHEN OLD.app = 'bank' OR OLD.platform = 'android' BEGIN SELECT RAISE(ABORT, 'touched'); END;
                    CREATE TEMP TRIGGER b BEFORE UPDATE ON apps BEGIN SELECT RAISE(ABORT, 'touched'); END;
                    CREATE TEMP TRIGGER c BEFORE DELETE ON targets BEGIN SELECT RAISE(ABORT, 'touched'); END;
                    """
            )
        }
        try store.commit(world.set([.shopIOS: .open]))
        #expect(try store.loadState() == world.state)
        #expect(code { try store.commit(world.set([.bankIOS: .killed])) } == .internal)
    }

    @Test func aNULInATextIsRefusedBecauseSQLiteWouldCutItOff() throws {
        let store = try Scratch().store()
        var world = try store.fill()
        #expect(code { try store.commit(world.set([.shopIOS: .open], reason: "a\u{0}b")) } == .internal)
        #expect(try store.chainHead().sequence == 4)
    }

    private let scratchTime = Timestamp(milliseconds: World.start)
}

extension Store {
    /// Runs `body` and closes.
    func closing<Value>(_ body: (Store) throws -> Value) throws -> Value {
        let value = try body(self)
        try close()
        return value
    }
}

extension Commit {
    func with(_ record: IdempotencyRecord) -> Commit {
        Commit(change: change, apps: apps, removedApps: removedApps, removedTargets: removedTargets, idempotency: record)
    }
}

extension Change {
    func with(sequence: Int, targets: [ChangedTarget]) -> Change {
        Change(
            sequence: sequence,
            at: at,
            actor: actor,
            source: source,
            kind: kind,
            reason: reason,
            requestId: requestId,
            app: app,
            targets: targets
        )
    }
}
