import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// R53: whatever is written is read by the reader of the start before it is committed; what cannot be read is not written.
@Suite struct ReadBackTests {
    /// Gates that the rules would never make, and that no reader takes.
    static let gates: [(String, Gate)] = [
        ("a version of letters", Gate(requiredUpdate: RequiredUpdate(minimumVersion: "x", message: .text("a")))),
        ("an interval of nothing", Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 0))),
        ("a huge interval", Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: .max))),
        ("an empty message", Gate(alert: Alert(message: .text(""), blocking: false))),
        ("languages without a default", Gate(forceUpdate: ForceUpdate(message: .localized(["de": "a"])))),
        (
            "a year of six digits",
            Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 30, until: Timestamp(milliseconds: 4_000_000_000_000_000)))
        ),
        (
            "a year before our era",
            Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 30, until: Timestamp(milliseconds: -70_000_000_000_000)))
        ),
        (
            "a version that is blocked twice",
            Gate(requiredUpdate: RequiredUpdate(minimumVersion: "1", blockedVersions: ["2", "2"], message: .text("a")))
        ),
    ]

    static let settings: [(String, PlatformSettings)] = [
        ("a release of letters", PlatformSettings(versionScheme: .dotted, releases: ["x"])),
        ("a release that is there twice", PlatformSettings(versionScheme: .dotted, releases: ["1", "1"])),
        ("an interval of nothing", PlatformSettings(versionScheme: .dotted, defaultRetryInterval: 0)),
        ("a release of the other scheme", PlatformSettings(versionScheme: .code, releases: ["1.0"])),
    ]

    private func expectNothingWritten(_ what: String, _ scratch: Scratch, _ write: (Store) throws -> Void) throws {
        let store = try scratch.store()
        let (state, schedule, history, audit) = (try store.loadState(), try store.loadSchedule(), try store.changes(), try store.audit())
        let error = #expect(throws: StoreError.self, "\(what)") { try write(store) }
        #expect(error?.code == .internal, "\(what): \(error as Any)")
        #expect(error?.detail.contains("nothing was written") == true, "\(what): \(error as Any)")
        #expect(try store.loadState() == state, "\(what)")
        #expect(try store.loadSchedule() == schedule, "\(what)")
        #expect(try store.changes() == history, "\(what)")
        #expect(try store.audit() == audit, "\(what)")
        try store.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address) == [], "\(what)")
    }

    @Test func aGateThatCannotBeReadIsNotWritten() throws {
        let scratch = try Scratch()
        let world = try scratch.store().closing { try $0.fill() }
        for (what, gate) in Self.gates {
            var world = world
            let commit = world.set([.shopAndroid: gate])
            try expectNothingWritten(what, scratch) { try $0.commit(commit) }
        }
        for (what, settings) in Self.settings {
            var world = world
            let commit = world.set([.shopIOS: .open], settings: [.shopIOS: settings])
            try expectNothingWritten(what, scratch) { try $0.commit(commit) }
        }
        for alias in [
            Alias(path: "/a", feed: .library(.bellerophon), platform: nil), Alias(path: "/a", feed: .library(.launchgate), platform: .ios),
        ] {
            var world = world
            let commit = world.saveApp(.shop, aliases: [alias])
            try expectNothingWritten("\(alias)", scratch) { try $0.commit(commit) }
        }
    }

    @Test func aWindowThatCannotBeReadIsNotWritten() throws {
        let scratch = try Scratch()
        _ = try scratch.store().closing { try $0.fill() }
        let (far, early) = (Timestamp(milliseconds: 4_000_000_000_000_000), Timestamp(milliseconds: -70_000_000_000_000))
        for start in [far, early] {
            let window = try Self.window(start: ZonedTime(at: start))
            try expectNothingWritten("\(start)", scratch) { try $0.save([WindowRecord(window: window, version: 1)], audit: []) }
        }
        // What its reader lets pass and writes otherwise.
        for set in [#"{"alert":{"message":"a","blocking":false}}"#, #"{"killSwitch":null}"#] {
            let window = try Self.window(set: set)
            let store = try scratch.store()
            let last = try store.loadSchedule()
            try store.save([WindowRecord(window: window.numbered(last.lastID + 1), version: last.lastVersion + 1)], audit: [])
            #expect(try store.window(id: last.lastID + 1)?.window == window.numbered(last.lastID + 1))
            try store.close()
        }
    }

    @Test func anEntryOfTheAuditThatCannotBeReadIsNotWritten() throws {
        let scratch = try Scratch()
        _ = try scratch.store().closing { try $0.fill() }
        let entry = AuditEntry(at: Timestamp(milliseconds: .max / 2), actor: nil, action: "session.create", requestId: "r")
        try expectNothingWritten("a moment that is none", scratch) { try $0.appendAudit(entry) }
    }

    @Test func aPersonOrTokenThatCannotBeReadIsNotWritten() throws {
        let scratch = try Scratch()
        _ = try scratch.store().closing { try $0.fill() }
        let audit = AuditEntry(at: scratch.clock.now, actor: nil, action: "people.create", requestId: "r")
        let never = Timestamp(milliseconds: .max / 2)
        let user = NewUser(name: "ann", role: .admin, passwordHash: PasswordHash(stored: "x"), createdAt: never)
        try expectNothingWritten("a person", scratch) { _ = try $0.createUser(user, audit: audit) }
        let token = TokenRecord(
            id: "t",
            name: "ci",
            secretDigest: .zero,
            role: .viewer,
            apps: .all,
            createdBy: "ann",
            createdAt: scratch.clock.now,
            expiresAt: never
        )
        try expectNothingWritten("a token", scratch) { try $0.createToken(token, audit: audit) }
    }

    /// An older version may have kept fewer settings than this one writes; the next change is made all the same.
    @Test(.onSQLite) func settingsThatLackAMemberAreThoseThatWereMeant() throws {
        let scratch = try Scratch()
        var world = try scratch.store().closing { try $0.fill() }
        try scratch.tamper("UPDATE targets SET settings = json_remove(settings, '$.defaultRetryInterval') WHERE platform = 'ios'")
        let commit = world.set([.shopIOS: .open], settings: [.shopIOS: PlatformSettings(versionScheme: .dotted, releases: ["1.0"])])
        let store = try scratch.store()
        try store.commit(commit)
        #expect(try store.loadState() == world.state)
    }

    private static func window(start: ZonedTime? = nil, set: String = #"{"killSwitch":null}"#) throws -> Window {
        let set = try GateEdit(json: JSONReader.read(set))
        return Window(
            id: 1,
            state: .pending,
            targets: [Window.Target(key: .shopIOS, revision: 2, expected: GateEdit([:]))],
            set: set,
            start: try start ?? ZonedTime(at: Timestamp(milliseconds: 2_000_000_000_000), zone: "Pacific/Kiritimati"),
            end: nil,
            then: .open,
            actor: Actor(kind: .user, name: "ann"),
            source: .api,
            reason: nil,
            events: []
        )
    }
}

extension Window {
    fileprivate func numbered(_ id: Int) -> Window {
        var window = self
        window.id = id
        return window
    }
}
