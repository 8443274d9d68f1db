import Dispatch
import Foundation
import GRDB
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

@testable import GateStore

/// When rows are signed, by whom, and who decides about the others; what is tried against it is in ``TamperingTests``.
@Suite struct SignatureTests {
    private func audit(_ action: String = "test") -> AuditEntry {
        AuditEntry(
            at: Timestamp(milliseconds: World.start),
            actor: Actor(kind: .user, name: "ann", id: "1"),
            action: action,
            requestId: "r"
        )
    }

    private func faults(_ scratch: Scratch) throws -> [String] {
        try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations).map(\.description)
    }

    private func add(_ name: String, _ role: Role = .admin, to store: Store) throws -> UserRecord {
        let user = NewUser(
            name: name,
            role: role,
            passwordHash: PasswordHash(stored: "$argon2id$"),
            createdAt: Timestamp(milliseconds: World.start)
        )
        return try store.createUser(user, audit: audit("people.create"))
    }

    /// A column that the list forgets would be one that anybody can alter.
    @Test(.onSQLite, arguments: SignedTable.allCases) func everyColumnIsSignedOrLeftOutOnPurpose(table: SignedTable) throws {
        let store = try Scratch().store()
        let columns = try store.read("x") { db in try db.values(String.self, sql: "SELECT name FROM pragma_table_info('\(table.rawValue)')")
        }
        let leftOut: [SignedTable: [String]] = [.sessions: ["last_seen_at"], .tokens: ["last_used_at"]]
        let known = table.columns + leftOut[table, default: []] + ["generation", "signature"]
        #expect(Set(known) == Set(columns))
        #expect(known.count == columns.count)
    }

    /// What is signed must not change with a release, or nobody would be recognised any more.
    @Test func theBytesOfASignatureAreTheseForEver() throws {
        func number(_ value: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, value] }
        func text(_ value: String) -> [UInt8] { number(UInt8(value.utf8.count)) + value.utf8 }
        let values: [SQLValue] = [.integer(1), .blob([9]), .null]
        let row = SignedRow(table: .recoveryCodes, key: Array(values.prefix(2)), values: values, generation: .null, signature: .null)
        var bytes = text("gatehouse row 1") + text("recovery_codes") + number(7) + number(2)
        bytes += text("user_id") + text("1") + text("digest") + number(1) + [9]
        let hash = try #require(KeyedHash(key: [UInt8](repeating: 7, count: 32)))
        #expect(row.signature(hash, generation: 7) == hash.hash(of: bytes))
    }

    // MARK: The first signing

    /// A folder as the release before signatures left it: with people and a token, and without a key.
    private func unsigned(_ shelf: Scratch) throws -> Scratch {
        let old = shelf.path + "/old"
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: Scratch.migrations) where name < "0008" {
            try FileManager.default.copyItem(atPath: Scratch.migrations + "/" + name, toPath: old + "/" + name)
        }
        let scratch = try Scratch(migrations: old)
        try scratch.tamper(
            """
            INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at) VALUES
                ('ann', 'ann', 'admin', '$argon2id$', 0, 0, 0), ('ben', 'ben', 'viewer', '$argon2id$', 0, 0, 0);
            INSERT INTO tokens (id, name, secret_digest, role, created_by, created_at) VALUES ('ci000001', 'ci', randomblob(32), 'admin', 'ann', 0);
            """
        )
        return scratch
    }

    @Test func whatComesFromBeforeSignaturesIsSignedOnceAndTheAuditTellsWhoWasThere() throws {
        let shelf = try Scratch()
        let scratch = try unsigned(shelf)
        _ = try Store.migrate(scratch.configuration())
        #expect(try faults(scratch) == [])
        #expect(try FileManager.default.attributesOfItem(atPath: scratch.key)[.posixPermissions] as? Int == 0o600)
        try scratch.store().closing { store in
            #expect(try store.users().allSatisfy(\.isSigned))
            #expect(try store.token(id: "ci000001")?.isSigned == true)
            let entry = try #require(try store.audit().first?.entry)
            #expect((entry.action, entry.actor?.name) == ("rows.sign", "gatehouse"))
            #expect(entry.detail == ["users": .integer(2), "tokens": .integer(1), "administrators": .array([.string("ann")])])
        }
        // Once: from then on what is not signed is refused, also when all signatures are gone.
        try scratch.tamper("UPDATE users SET role = 'admin', generation = NULL, signature = NULL; DELETE FROM signatures")
        _ = try Store.migrate(scratch.configuration())
        try scratch.store().closing { store in
            let users = try store.users()
            #expect(users.allSatisfy { !$0.isSigned })
        }
    }

    /// A signed database gets columns that its rows have no value in: who was signed stays so, and nothing is signed anew.
    @Test(.onSQLite) func signaturesOutliveColumnsThatComeLater() throws {
        let scratch = try Scratch()
        try scratch.store().closing { store in for name in ["ann", "ben"] { _ = try add(name, to: store) } }
        // As the release before invitations left it.
        try scratch.tamper(
            """
            ALTER TABLE users DROP COLUMN origin;
            DROP INDEX users_by_invitation; ALTER TABLE users DROP COLUMN invitation_expires_at; ALTER TABLE users DROP COLUMN invitation_digest;
            DROP TABLE shared_keys; DROP TABLE server_polls; DROP TABLE servers;
            DROP TABLE own_feeds; ALTER TABLE apps DROP COLUMN own_feed_count; DELETE FROM migrations WHERE number >= 11; PRAGMA user_version = 10
            """
        )
        #expect(try Store.migrate(scratch.configuration()).applied == [11, 12, 13, 14, 15, 16])
        #expect(try faults(scratch) == [])
        try scratch.store().closing { store in
            let (doubts, users, signings) = (try store.doubts(), try store.users(), try store.audit(AuditQuery(action: "rows.sign")))
            #expect(doubts.isEmpty && signings.isEmpty)
            #expect(
                users.map { "\($0.name) \($0.isSigned) \($0.invitation == nil) \($0.hasPassword)" } == [
                    "ann true true true", "ben true true true",
                ]
            )
        }
    }

    /// An old database in a folder that has a key already: somebody may have taken the signatures away to have theirs signed.
    @Test func whereThereIsAKeyNothingIsSignedByItself() throws {
        let shelf = try Scratch()
        let scratch = try unsigned(shelf)
        try FileManager.default.createDirectory(atPath: scratch.data + "/keys", withIntermediateDirectories: false)
        try Data([UInt8](repeating: 7, count: 32)).write(to: URL(filePath: scratch.key))
        _ = try Store.migrate(scratch.configuration())
        let store = try scratch.store()
        #expect(try store.users().allSatisfy { !$0.isSigned })
        #expect(try store.doubts().rows.count == 4, "the heads, two people, a token")
        try store.signAnew(.kept, newKey: false) { _, _ in audit("rows.sign") }
        #expect(try store.doubts().isEmpty)
        #expect(try store.users().allSatisfy(\.isSigned))
        try store.close()
        #expect(try faults(scratch) == [])
    }

    /// The power goes after the database was signed and before the key has its place.
    @Test(arguments: [false, true]) func aKeyThatDidNotGetItsPlaceIsFound(hasOldKey: Bool) throws {
        let scratch = try Scratch()
        try scratch.store().closing { _ = try add("ann", to: $0) }
        try FileManager.default.moveItem(atPath: scratch.key, toPath: scratch.key + ".next")
        if hasOldKey { try Data([UInt8](repeating: 8, count: 32)).write(to: URL(filePath: scratch.key)) }
        try scratch.store().closing { store in
            let ann = try store.user(named: "ann")
            #expect(ann?.isSigned == true)
        }
        #expect(try faults(scratch) == [])
        #expect(try Array(Data(contentsOf: URL(filePath: scratch.key))) == [UInt8](repeating: 7, count: 32))
    }

    @Test func withoutItsKeyAStoreTellsNobodyAndWritesNothing() throws {
        let scratch = try Scratch()
        let world = try scratch.store().closing { store in
            _ = try add("ann", to: store)
            return try store.fill()
        }
        for key in [nil, Data(), Data([1, 2, 3])] {
            try? FileManager.default.removeItem(atPath: scratch.key)  // not there the second time
            try key?.write(to: URL(filePath: scratch.key))
            let store = try scratch.store()
            #expect(try store.loadState() == world.state, "what phones obey stands in the history")
            #expect(try store.loadSchedule().active.isEmpty)
            #expect(try store.doubts().key != nil)
            for refused in [
                { _ = try store.users() }, { _ = try store.user(named: "ann") }, { _ = try store.session(id: .zero) },
                { _ = try store.tokenAndOwner(id: "x") },
                { _ = try add("eve", to: store) }, { try store.appendAudit(audit()) },
            ] { #expect(code(refused) == .keyMissing) }
            try store.close()
        }
    }

    // MARK: While the server runs

    @Test func whatIsPutInWhileTheStoreIsOpenIsNotObeyedAndNotSignedEither() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let (ann, ben) = (try add("ann", to: store), try add("ben", .viewer, to: store))
        _ = ann
        try store.writer.run { _ in
            // By another connection, as a shell's.
            try scratch.tamper(
                "UPDATE users SET role = 'admin', totp_step = 0 WHERE name = 'ben'; UPDATE users SET name_folded = name_folded"
            )
        }
        #expect(try store.user(named: "ann")?.isSigned == true)
        #expect(try store.user(named: "ben")?.mayEnter == false)
        // The server's own writes to the row leave it as it is.
        #expect(try store.useTOTPStep(9, of: ben.id))
        #expect(try store.user(named: "ben")?.mayEnter == false)
        let edited = code {
            _ = try store.editUser(id: ben.id) { user in
                user.disabled = true
                return audit()
            }
        }
        #expect(edited == .unsigned)
        #expect(try store.doubts().rows.map(\.description) == ["users row 2: was not written by gatehouse"])
        // It is removed like anybody else, and then nothing is left to find.
        try store.deleteUser(id: ben.id, audit: audit())
        #expect(try store.doubts().isEmpty)
        try store.close()
        #expect(try faults(scratch) == [])
    }

    /// The last administrator is one who can let people in.
    @Test func whoWasPutInDoesNotCountAsTheLastAdministrator() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let ann = try add("ann", to: store)
        try scratch.tamper(
            "INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at) VALUES ('eve', 'eve', 'admin', '', 0, 0, 0)"
        )
        #expect(code { try store.deleteUser(id: ann.id, audit: audit()) } == .conflict)
        let ben = try add("ben", to: store)
        try store.deleteUser(id: ann.id, audit: audit())
        #expect(code { try store.deleteUser(id: ben.id, audit: audit()) } == .conflict)
    }

    /// What somebody puts there need not even be readable; it must not take the lists from everybody.
    @Test func whatNobodyCanReadIsLeftOutOfTheLists() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try add("ann", to: store)
        try scratch.tamper(
            """
            INSERT INTO users (name, name_folded, role, apps, password_hash, disabled, created_at, password_changed_at) VALUES ('eve', 'eve', 'admin', '{', '', 0, 0, 0);
            INSERT INTO tokens (id, name, secret_digest, role, apps, created_by, created_at) VALUES ('x', 'x', randomblob(32), 'admin', '{', '', 0);
            INSERT INTO windows (id, version, state, document) VALUES (1, 1, 'pending', '{');
            """
        )
        #expect(try store.users().map(\.name) == ["ann"])
        #expect(try store.tokens().isEmpty)
        #expect(try store.loadSchedule().active.isEmpty)
        #expect(try store.doubts().rows.count == 3)
    }

    /// Somebody else's trigger has the server itself do what they want.
    @Test(arguments: [false, true]) func whatATriggerOfSomebodyElseWritesIsNotSigned(isOpen: Bool) throws {
        let scratch = try Scratch()
        var store = try scratch.store()
        let ben = try add("ben", .viewer, to: store)
        var world = try store.fill()
        let trigger =
            TestEngine.current == .sqlite
            ? "CREATE TRIGGER quiet AFTER INSERT ON audit BEGIN UPDATE users SET role = 'admin' WHERE name = 'ben'; END"
            : """
            CREATE FUNCTION whisper() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN UPDATE users SET role = 'admin' WHERE name = 'ben'; RETURN NULL; END $$;
            CREATE TRIGGER quiet AFTER INSERT ON audit FOR EACH ROW EXECUTE FUNCTION whisper();
            """
        if !isOpen { try store.close() }
        try scratch.tamper(trigger)
        if !isOpen { store = try scratch.store() }
        #expect(code { _ = try add("carl", to: store) } == .unsigned)
        #expect(code { try store.appendAudit(audit()) } == .unsigned)
        #expect(try store.user(id: ben.id)?.role == .viewer)
        #expect(try store.doubts().history.first?.place == "schema")
        #expect(!store.isInStep)
        // What touches no signed row goes on until somebody has looked.
        try store.commit(world.set([.shopIOS: .everything]))
        try store.close()
        #expect(try faults(scratch).contains("schema: trigger quiet is not of the migrations' making"))
    }

    @Test func thatSomebodyWroteTheAuditWhileItRunsIsNoticedByTheNextWrite() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try add("ann", to: store)
        try store.appendAudit(audit())
        try scratch.tamper("DROP TRIGGER audit_is_not_deleted; DELETE FROM audit WHERE sequence = 2; " + Self.auditTrigger)
        #expect(store.isInStep)
        #expect(code { try store.appendAudit(audit("another")) } == nil)
        #expect(!store.isInStep)
        #expect(
            try store.doubts().history.map(\.description) == [
                "audit row 2: hash is not the one that gatehouse signed: the history was rewritten",
                "schema: was altered while gatehouse runs",
            ]
        )
        try store.close()
        #expect(try faults(scratch).first == "audit row 2: hash is not the one that gatehouse signed: the history was rewritten")
    }

    private static let auditTrigger =
        TestEngine.current == .sqlite
        ? """
        CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
        BEGIN
            SELECT RAISE(ABORT, 'audit is append-only');
        END
        """
        : "CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse('audit is append-only')"

    /// Who reads while others write sees a row of before or of after; both are the server's own.
    @Test func nobodyIsRefusedBecauseSomebodyWrites() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let ann = try add("ann", to: store)
        _ = try add("ben", to: store)
        let isOver = Mutex(false)
        let refused = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            if thread == 0 {
                for number in 1...150 {
                    _ = try? store.editUser(id: ann.id) { user in  // a failure shows below
                        user.totpStep = Int64(number)
                        return audit()
                    }
                }
                isOver.withLock { $0 = true }
            } else {
                while !isOver.withLock({ $0 }) {
                    if (try? store.user(id: ann.id))?.mayEnter != true { refused.withLock { $0 += 1 } }
                    if (try? store.doubts())?.isEmpty != true { refused.withLock { $0 += 1 } }
                }
            }
        }
        #expect(try store.user(id: ann.id)?.totpStep == 150)
        #expect(refused.withLock { $0 } == 0)
    }

    /// Whatever is done in whatever order, the book agrees with the rows.
    @Test(arguments: 1...6) func afterAnyRunOfWritesEverythingIsTheServersOwn(seed: UInt64) throws {
        let scratch = try Scratch()
        var store = try scratch.store()
        _ = try add("ann", to: store)
        var random = SeededGenerator(seed: seed)
        var version = 0
        for step in 1...60 {
            let users = try store.users()
            let user = users[random.next(below: users.count)]
            let now = scratch.clock.now
            scratch.clock.advance(seconds: 1)
            // Refusals, such as of removing the last administrator, are part of it: they leave nothing behind.
            switch random.next(below: 11) {
            case 0: _ = try add("user\(step)", random.next(below: 2) == 0 ? .admin : .viewer, to: store)
            case 1:
                _ = try? store.editUser(id: user.id) { user in
                    user.disabled.toggle()
                    return audit()
                }
            case 2: try? store.deleteUser(id: user.id, audit: audit())
            case 3:
                _ = try store.editUser(id: user.id) { user in
                    user.totpPending = [UInt8(step)]
                    return audit()
                }
                let codes = (0..<3).map { SHA256Digest(of: "\(step)/\($0)") }
                _ = try store.confirmTOTP([UInt8(step)], of: user.id, step: 1, recoveryCodes: codes, audit: audit())
            case 4:
                _ = try store.useRecoveryCode(
                    of: user.id,
                    digest: SHA256Digest(of: "\(random.next(below: step))/1"),
                    at: now,
                    audit: audit()
                )
            case 5:
                let token = TokenRecord(
                    id: "t\(step)",
                    name: "ci",
                    secretDigest: .zero,
                    role: .viewer,
                    apps: .all,
                    createdBy: "ann",
                    ownerID: user.id,
                    createdAt: now,
                    expiresAt: nil
                )
                try store.createToken(token, audit: audit())
            case 6: try? store.revokeToken(id: "t\(random.next(below: step))", at: now, audit: audit())
            case 7:
                let session = SessionRecord(
                    id: SHA256Digest(of: "s\(step)"),
                    userID: user.id,
                    csrfDigest: .zero,
                    createdAt: now,
                    lastSeenAt: now,
                    expiresAt: now.advanced(bySeconds: 20),
                    reauthenticatedAt: now,
                    address: "",
                    userAgent: ""
                )
                _ = try? store.createSession(session, of: user, audit: audit())
            case 8: try store.endSessions(of: user.id, audit: audit())
            case 9:
                version += 1
                try store.save([WindowRecord(window: try WindowTests.window(version, "shop/ios"), version: version)], audit: [audit()])
            default:
                try store.close()
                store = try scratch.store()
            }
            #expect(try store.doubts().isEmpty, "seed \(seed), step \(step)")
        }
        try store.close()
        #expect(try faults(scratch) == [])
    }

    // MARK: Deciding

    @Test(.onSQLite) func whatIsNotTheServersOwnIsDroppedOrKeptAsSomebodyDecides() throws {
        for decision in [Unsigned.dropped, .kept] {
            let folder = try TamperedFolder()
            for attempt in TamperingTests.people.prefix(2) + TamperingTests.credentials.prefix(1) + TamperingTests.windows.prefix(1) {
                try attempt.run(folder)
            }
            let store = try folder.scratch.store()
            let doubts = try store.doubts()
            #expect(
                doubts.rows.map(\.description).sorted() == [
                    "tokens row eve00001: was not written by gatehouse", "users row 2: was not written by gatehouse",
                    "users row 4: was not written by gatehouse",
                    "windows row 1: was not written by gatehouse",
                ]
            )
            #expect(
                doubts.rows.compactMap(store.describe).sorted() == [
                    "ben, admin of all apps", "eve, admin of all apps", "eve, admin of all apps", "pending",
                ]
            )
            try store.signAnew(decision, newKey: false) { found, _ in
                #expect(found == doubts)
                return audit("rows.sign")
            }
            #expect(try store.doubts().isEmpty)
            let names = try store.users().map(\.name)
            #expect(names == (decision == .dropped ? ["ann"] : ["ann", "ben", "eve"]))
            #expect(try store.users().allSatisfy(\.isSigned))
            #expect(try store.token(id: "eve00001")?.isValid(at: folder.scratch.clock.now) == (decision == .kept))
            #expect(try store.window(id: 1)?.window.state == (decision == .dropped ? .cancelled : .pending))
            #expect(try store.session(id: SHA256Digest(of: "one")) == nil, "all sessions end")
            try store.close()
            #expect(try faults(folder.scratch) == [])
        }
    }

    @Test(.onSQLite) func aStolenKeyIsReplacedAndOpensNothingAnyMore() throws {
        let folder = try TamperedFolder()
        let stolen = try Data(contentsOf: URL(filePath: folder.scratch.key))
        var configuration = folder.scratch.configuration()
        configuration.random = RandomSource { [UInt8](repeating: 9, count: $0) }
        try Store(configuration).closing { try $0.signAnew(.kept, newKey: true) { _, _ in audit() } }
        #expect(try Array(Data(contentsOf: URL(filePath: folder.scratch.key))) == [UInt8](repeating: 9, count: 32))
        #expect(try Data(contentsOf: URL(filePath: folder.scratch.key + ".old")) == stolen)
        #expect(try faults(folder.scratch) == [])
        try stolen.write(to: URL(filePath: folder.scratch.key))
        #expect(try faults(folder.scratch).first == "signatures row heads: was not written by gatehouse with this key")
    }

    @Test(.onSQLite) func nobodyDropsTheLastAdministrator() throws {
        let folder = try TamperedFolder()
        try folder.tamper("UPDATE users SET totp_secret = NULL WHERE id = 1")
        let store = try folder.scratch.store()
        #expect(code { try store.signAnew(.dropped, newKey: false) { _, _ in audit() } } == .conflict)
        #expect(try store.users().map(\.name) == ["ann", "ben"])
    }
}
