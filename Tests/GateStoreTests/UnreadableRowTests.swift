import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// Rows that are sound by their chains and that nobody can read: `verify` names each, and the rest is read as ever.
@Suite struct UnreadableRowTests {
    static let never = Timestamp(milliseconds: 4_000_000_000_000_000)

    /// A store with a row of every kind that nobody can read: change 5 and the audit's second entry among them.
    static func ruined() throws -> Scratch { try ruined(Scratch()) }

    /// - Parameter scratch: an empty one, which is filled.
    static func ruined(_ scratch: Scratch) throws -> Scratch {
        try ReadBack.$isOff.withValue(true) {
            try scratch.store().closing { store in
                var world = try store.fill()
                let entry = AuditEntry(at: scratch.clock.now, actor: nil, action: "people.create", requestId: "r")
                try store.commit(
                    world.set([.shopAndroid: Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 30, until: never))])
                )
                try store.commit(world.set([.shopAndroid: .open]))
                try store.save([WindowRecord(window: window(1, at: scratch.clock.now), version: 1)], audit: [entry])
                try store.save([WindowRecord(window: window(2, at: never), version: 2)], audit: [])
                try store.appendAudit(AuditEntry(at: never, actor: nil, action: "session.create", requestId: "r"))
                let user = try store.createUser(
                    NewUser(name: "ann", role: .admin, passwordHash: PasswordHash(stored: "x"), createdAt: scratch.clock.now),
                    audit: entry
                )
                _ = try store.createUser(
                    NewUser(name: "eve", role: .viewer, passwordHash: PasswordHash(stored: "x"), createdAt: never),
                    audit: entry
                )
                try store.createToken(
                    TokenRecord(
                        id: "abc",
                        name: "t",
                        secretDigest: .zero,
                        role: .viewer,
                        apps: .all,
                        createdBy: "ann",
                        createdAt: scratch.clock.now,
                        expiresAt: never
                    ),
                    audit: entry
                )
                let session = SessionRecord(
                    id: .zero,
                    userID: user.id,
                    csrfDigest: .zero,
                    createdAt: scratch.clock.now,
                    lastSeenAt: never,
                    expiresAt: never,
                    reauthenticatedAt: never,
                    address: "",
                    userAgent: ""
                )
                try store.createSession(session, of: user, audit: entry)
                try store.saveIdempotency(IdempotencyRecord(actor: "a", key: "k", requestDigest: .zero, status: 200, body: [], at: never))
            }
        }
        return scratch
    }

    static func window(_ id: Int, at: Timestamp) throws -> Window {
        Window(
            id: id,
            state: .pending,
            targets: [Window.Target(key: .shopIOS, revision: 2, expected: GateEdit([:]))],
            set: try GateEdit(json: ["alert": .null]),
            start: try ZonedTime(at: at),
            end: nil,
            then: .open,
            actor: Actor(kind: .user, name: "ann"),
            source: .api,
            reason: nil,
            events: []
        )
    }

    static let rows =
        ["changes row 5", "changes row 6", "audit row 2", "windows row 2", "users row 2", session, "tokens row abc", answer]
    /// SQLite numbers the rows that have no number of their own; PostgreSQL's are named by their keys.
    static let session = "sessions row " + (TestEngine.current == .sqlite ? "1" : String(repeating: "0", count: 32))
    static let answer = "idempotency_records row " + (TestEngine.current == .sqlite ? "1" : "a:k")

    /// The same where rows have numbers, whatever the tests run on.
    static let rowsByNumber = Array(rows.dropLast(3)) + ["sessions row 1", "tokens row abc", "idempotency_records row 1"]

    /// The same where rows have no number beside their key.
    static let rowsByKey =
        Array(rows.dropLast(3)) + ["sessions row 00000000000000000000000000000000", "tokens row abc", "idempotency_records row a:k"]

    @Test func everyOneIsFoundByVerify() throws {
        let scratch = try Self.ruined()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations).map(\.name) == Self.rows)
    }

    @Test(arguments: [1, 2, 3, 500]) func everyOneIsFoundInPortions(limit: Int) throws {
        let store = try Self.ruined().store()
        var (found, position): ([String], RowPosition?) = ([], nil)
        repeat {
            let part = try store.unreadableRows(after: position, limit: limit)
            found += part.faults.map(\.name)
            position = part.position
        } while position != nil
        #expect(found == Self.rows)
    }

    @Test func theOthersAreRead() throws {
        let store = try Self.ruined().store()
        #expect(try store.loadState().apps.count == 1)
        #expect(try store.changes().map { $0.isUnreadable } == [true, true, false, false, false, false])
        let schedule = try store.loadSchedule()
        #expect(schedule.active.map(\.window.id) == [1])
        #expect(schedule.unreadable.map(\.name) == ["windows row 2"])
        #expect(schedule.lastID == 2 && schedule.lastVersion == 2)
        #expect(try store.windows().map { $0.window.fault != nil } == [true, false])
        #expect(try store.audit().filter { $0.fault != nil }.map(\.sequence) == [2])
        #expect(try store.users().map(\.name) == ["ann"])
        #expect(try store.tokens().isEmpty)
        // New rows go after them as ever.
        try store.appendAudit(AuditEntry(at: World.moment, actor: nil, action: "x", requestId: "r"))
    }

    /// Whatever a document or a word has become, the row is named and what can be read of it is told.
    @Test(arguments: [
        (
            "changes", "UPDATE changes SET actor_kind = 'ghost' WHERE sequence = 4",
            "changes row 4: actor_kind has a value that this gatehouse does not know"
        ),
        ("changes", "UPDATE changes SET at = 9000000000000000000 WHERE sequence = 4", "changes row 4: at holds no time"),
        ("changes", "UPDATE changes SET app = 'No App' WHERE sequence = 1", "changes row 1: A stored key has a form that no key has"),
        (
            "changes", "UPDATE changes SET apps_after = '{' WHERE sequence = 1",
            "changes row 1: a value of it is not JSON: expected a member name in quotes (at byte 1)"
        ),
        (
            "changes", "UPDATE change_targets SET before = '[]' WHERE sequence = 4",
            "changes row 4: before cannot be read: The rules are an object, not an array."
        ),
        (
            "changes", "UPDATE change_targets SET after = '{\"sleep\":{}}' WHERE sequence = 2",
            "changes row 2: after/sleep cannot be read: There is no rule \"sleep\": the rules are killSwitch, forceUpdate, requiredUpdate, optionalUpdate, alert."
        ),
        (
            "changes", "UPDATE change_targets SET platform = 'ios2' WHERE sequence = 2",
            "changes row 2: A stored key has a form that no key has"
        ),
        (
            "changes", "UPDATE change_targets SET settings_after = '{\"theme\":1}' WHERE sequence = 2",
            "changes row 2: settings/theme cannot be read: There is no setting \"theme\"."
        ),
        (
            "changes", "UPDATE change_targets SET feeds = '{' WHERE sequence = 4",
            "changes row 4: feeds is not JSON: expected a member name in quotes (at byte 1)"
        ),
        ("targets", "UPDATE targets SET settings = 'null' WHERE platform = 'ios'", "targets row shop/ios: shop/ios has no settings"),
        ("targets", "UPDATE targets SET since = 9000000000000000000 WHERE platform = 'ios'", "targets row shop/ios: since holds no time"),
        ("apps", "UPDATE apps SET aliases = '{}'", "apps row shop: The stored aliases of shop are no list"),
        (
            "windows", "UPDATE windows SET document = 'x' WHERE id = 1",
            "windows row 1: a value of it is not JSON: no JSON value starts here (at byte 0)"
        ),
        ("windows", "UPDATE windows SET state = 'running' WHERE id = 1", "windows row 1: windows row 1 contradicts its document"),
        ("audit", "UPDATE audit SET detail = '[]' WHERE sequence = 1", "audit row 1: detail is no object"),
        ("throttles", "INSERT INTO throttles VALUES ('x', 1, 9000000000000000000, 0)", "throttles row 1: first_failure_at holds no time"),
    ])
    func aRowThatIsAlteredIsNamed(table: String, sql: String, fault: String) throws {
        let scratch = try Scratch()
        try scratch.store().closing { store in
            _ = try store.fill()
            let entry = AuditEntry(at: scratch.clock.now, actor: nil, action: "x", requestId: "r", detail: ["a": .integer(1)])
            try store.save([WindowRecord(window: Self.window(1, at: scratch.clock.now), version: 1)], audit: [entry])
        }
        try scratch.dropTriggers()
        try scratch.tamper(sql)
        let named = TestEngine.current == .sqlite ? fault : fault.replacing("throttles row 1", with: "throttles row x")
        #expect(try Store.verify(directory: scratch.data, server: scratch.address).map(\.description).contains(named))
        // Everything else is read; what is no longer the history's is refused as before.
        try scratch.store().closing { (store: Store) throws in
            #expect(code { _ = try store.loadState() } == nil)
            #expect(try store.changes().count == 4)
            #expect(try store.windows().count == 1)
            #expect(try store.audit().count == 1)
        }
    }
}

extension World {
    static let moment = Timestamp(milliseconds: start)
}
