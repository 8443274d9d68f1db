import GRDB
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// R7: every write is whole or not at all, wherever in it the database fails.
///
/// For each write the tables that it touches are learnt from a copy; then each of them refuses in turn, which fails the write between
/// two of its statements, and nothing of it may be left.
@Suite struct AtomicityTests {
    /// A way to write.
    struct Write: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable (Store, Scratch) throws -> Void
        var testDescription: String { name }

        init(_ name: String, _ run: @escaping @Sendable (Store, Scratch) throws -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Something that a write did to a table.
    struct Deed: Hashable, CustomStringConvertible {
        let table: String
        let kind: String
        var description: String { "\(kind) \(table)" }
    }

    private static func audit(_ action: String) -> AuditEntry {
        AuditEntry(at: Timestamp(milliseconds: World.start), actor: Actor(kind: .user, name: "ann"), action: action, requestId: "r")
    }

    private static func newUser(_ name: String, _ scratch: Scratch) -> NewUser {
        NewUser(
            name: name,
            role: .admin,
            apps: .all,
            passwordHash: PasswordHash(stored: "$argon2id$of-\(name)"),
            createdAt: scratch.clock.now
        )
    }

    private static func token(_ id: String, _ scratch: Scratch) -> TokenRecord {
        TokenRecord(
            id: id,
            name: "ci",
            secretDigest: SHA256Digest(of: "secret"),
            role: .operator,
            apps: .all,
            createdBy: "ann",
            ownerID: 1,
            createdAt: scratch.clock.now,
            expiresAt: scratch.clock.now.advanced(bySeconds: 3_600)
        )
    }

    private static let pending: [UInt8] = [1, 2, 3]

    /// An app with its history, two people, sessions, a token, codes, a failure and a window.
    private static func furnish(_ store: Store, _ scratch: Scratch) throws {
        _ = try store.fill()
        let ann = try store.createFirstUser(newUser("ann", scratch), audit: audit("people.create"))
        let bob = try store.createUser(newUser("bob", scratch), audit: audit("people.create"))
        for secret in ["one", "two"] {
            try store.createSession(.signedIn(bob.id, secret, at: scratch.clock.now), of: bob, audit: audit("session.create"))
        }
        try store.createSession(.signedIn(ann.id, "ann", at: scratch.clock.now), of: ann, audit: audit("session.create"))
        try store.createToken(token("ab12cd34", scratch), audit: audit("token.create"))
        _ = try store.editUser(id: ann.id) { user in
            user.totpPending = pending
            return audit("totp")
        }
        try store.replaceRecoveryCodes(of: ann.id, with: [SHA256Digest(of: "code")], audit: audit("totp"))
        try store.countFailures([Store.FailureCount(scope: "name:ann", window: 600) { _ in 1 }], at: scratch.clock.now)
        try store.save([WindowRecord(window: try WindowTests.window(1, "shop/ios"), version: 1)], audit: [audit("window.create")])
    }

    private static func kept(_ key: String, _ scratch: Scratch) -> IdempotencyRecord {
        IdempotencyRecord(actor: "user:ann", key: key, requestDigest: .zero, status: 200, body: [1], at: scratch.clock.now)
    }

    static let writes: [Write] = [
        Write("add a person") { store, scratch in _ = try store.createUser(newUser("cid", scratch), audit: audit("people.create")) },
        Write("change a person's rights") { store, _ in
            _ = try store.editUser(id: 2) { user in
                user.role = .viewer
                return audit("people.edit")
            }
        },
        Write("change a password, with a new session, ending tokens") { store, scratch in
            _ = try store.editUser(
                id: 1,
                endingTokens: true,
                starting: (.signedIn(1, "new", at: scratch.clock.now), audit("session.create"))
            ) { user in
                user.passwordHash = PasswordHash(stored: "$argon2id$of-another")
                user.passwordChangedAt = scratch.clock.now.advanced(bySeconds: 1)
                return audit("people.password")
            }
        },
        Write("invite a person") { store, scratch in
            let invited = NewUser(
                name: "cid",
                role: .viewer,
                passwordHash: .missing,
                invitation: InvitationRecord(digest: SHA256Digest(of: "link"), expiresAt: scratch.clock.now.advanced(bySeconds: 60)),
                createdAt: scratch.clock.now
            )
            _ = try store.createUser(invited, audit: audit("people.create"))
        },
        Write("invite a person anew") { store, scratch in
            _ = try store.editUser(id: 2) { user in
                user.invitation = InvitationRecord(digest: SHA256Digest(of: "next"), expiresAt: scratch.clock.now.advanced(bySeconds: 60))
                return audit("people.invite")
            }
        },
        Write("take an invitation, in the place of a session") { store, scratch in
            _ = try store.editUser(
                id: 1,
                endingTokens: true,
                starting: (.signedIn(1, "new", at: scratch.clock.now), audit("session.create")),
                replacing: SHA256Digest(of: "one")
            ) { user in
                user.passwordHash = PasswordHash(stored: "$argon2id$of-another")
                user.passwordChangedAt = scratch.clock.now.advanced(bySeconds: 1)
                user.invitation = nil
                return audit("people.accept")
            }
        },
        Write("remove a person") { store, _ in try store.deleteUser(id: 2, audit: audit("people.remove")) },
        Write("begin a session in the place of another") { store, scratch in
            guard let bob = try store.user(id: 2) else { return }
            try store.createSession(
                .signedIn(2, "three", at: scratch.clock.now),
                of: bob,
                replacing: SHA256Digest(of: "one"),
                audit: audit("session.create")
            )
        },
        Write("end a session") { store, _ in try store.endSession(id: SHA256Digest(of: "one"), audit: audit("session.end")) },
        Write("end all sessions but one") { store, _ in
            _ = try store.endSessions(of: 2, keeping: SHA256Digest(of: "two"), audit: audit("session.end"))
        },
        Write("make a token") { store, scratch in try store.createToken(token("ef56gh78", scratch), audit: audit("token.create")) },
        Write("make a token under a key") { store, scratch in
            try store.createToken(token("ef56gh78", scratch), audit: audit("token.create"), idempotency: kept("token", scratch))
        },
        Write("revoke a token") { store, scratch in
            try store.revokeToken(id: "ab12cd34", at: scratch.clock.now, audit: audit("token.revoke"))
        },
        Write("confirm a second factor") { store, _ in
            let isConfirmed = try store.confirmTOTP(
                pending,
                of: 1,
                step: 5,
                recoveryCodes: [SHA256Digest(of: "a"), SHA256Digest(of: "b")],
                audit: audit("totp.confirm")
            )
            #expect(isConfirmed)
        },
        Write("use a recovery code") { store, scratch in
            let isUsed = try store.useRecoveryCode(
                of: 1,
                digest: SHA256Digest(of: "code"),
                at: scratch.clock.now,
                audit: audit("totp.recovery")
            )
            #expect(isUsed)
        },
        Write("count failures") { store, scratch in
            let counts = ["name:ann", "address:10.0.0.1"].map { Store.FailureCount(scope: $0, window: 600) { _ in 1 } }
            try store.countFailures(counts, at: scratch.clock.now.advanced(bySeconds: 1))
        },
        Write("make a window") { store, scratch in
            try store.save(
                [WindowRecord(window: try WindowTests.window(2, "shop/ios", "shop/android"), version: 2)],
                audit: [audit("window.create")],
                idempotency: kept("w", scratch)
            )
        },
        Write("keep an answer") { store, scratch in try store.saveIdempotency(kept("k", scratch)) },
        Write("note in the audit") { store, _ in try store.appendAudit(audit("export.create")) },
    ]

    @Test(.onSQLite, arguments: writes) func aWriteThatFailsAnywhereLeavesNothing(write: Write) throws {
        let deeds = try deeds(of: write)
        #expect(!deeds.isEmpty)
        let scratch = try Scratch()
        let store = try scratch.store()
        try Self.furnish(store, scratch)
        let before = try dump(scratch)
        for deed in deeds {
            try run("CREATE TEMP TRIGGER planted BEFORE \(deed.kind) ON \(deed.table) BEGIN SELECT RAISE(ABORT, 'planted'); END", store)
            #expect(throws: StoreError.self, "\(deed)") { try write.run(store, scratch) }
            try run("DROP TRIGGER planted", store)
            #expect(try dump(scratch) == before, "\(deed)")
        }
        try write.run(store, scratch)
        #expect(try dump(scratch) != before)
        try store.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address) == [])
    }

    /// What the write does where nothing is in its way, in no order.
    private func deeds(of write: Write) throws -> [Deed] {
        let scratch = try Scratch()
        let store = try scratch.store()
        try Self.furnish(store, scratch)
        try run("CREATE TEMP TABLE deeds (kind TEXT, name TEXT)", store)
        for table in try tables(scratch) {
            for kind in ["INSERT", "UPDATE", "DELETE"] {
                try run(
                    "CREATE TEMP TRIGGER note_\(table)_\(kind) AFTER \(kind) ON \(table) BEGIN INSERT INTO deeds VALUES ('\(kind)', '\(table)'); END",
                    store
                )
            }
        }
        try write.run(store, scratch)
        return try store.writer.read { db in
            try db.rows(sql: "SELECT DISTINCT kind, name FROM deeds ORDER BY name, kind").map {
                Deed(table: try $0.stored("name"), kind: try $0.stored("kind"))
            }
        }
    }

    /// On the connection that writes: triggers of its own session are in no schema, where the store would find them and refuse.
    private func run(_ sql: String, _ store: Store) throws {
        try store.writer.run { db in try db.execute(sql: sql) }
    }

    private func tables(_ scratch: Scratch) throws -> [String] {
        try scratch.raw().read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        }
    }

    /// Every row of every table.
    private func dump(_ scratch: Scratch) throws -> [String] {
        let tables = try tables(scratch)
        return try scratch.raw().read { db in
            try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0.debugDescription)" }.sorted()
            }
        }
    }
}
