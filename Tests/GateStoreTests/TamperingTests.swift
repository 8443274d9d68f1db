import Foundation
import GRDB
import GateCrypto
import GateTesting
import Testing

@testable import GateStore

/// R61: what somebody can try who writes in the data folder past the server, what `gatehouse verify` says of it, and who is obeyed
/// afterwards. The table of GateStore's documentation.
@Suite struct TamperingTests {
    typealias Subject = TamperedFolder.Subject

    struct Attempt: Sendable, CustomTestStringConvertible {
        let name: String
        /// The first fault; nil for what nobody can find without an anchor from elsewhere, or at all.
        let fault: String?
        /// Whose word does not count any more, of those that counted before.
        var lost: Set<Subject> = []
        /// Whether it shows only when the whole chain is walked, or held against an anchor, as the start does besides.
        var isInChain = false
        /// Who is obeyed that should not be.
        var gained: Set<Subject> = []
        let run: @Sendable (TamperedFolder) throws -> Void
        var testDescription: String { name }

        init(_ name: String, _ sql: String, _ fault: String?, lost: Set<Subject> = [], isInChain: Bool = false) {
            self.init(name, fault, lost: lost, isInChain: isInChain) { try $0.tamper(sql) }
        }

        init(
            _ name: String,
            _ fault: String?,
            lost: Set<Subject> = [],
            gained: Set<Subject> = [],
            isInChain: Bool = false,
            _ run: @escaping @Sendable (TamperedFolder) throws -> Void
        ) {
            (self.name, self.fault, self.lost, self.gained, self.isInChain, self.run) = (name, fault, lost, gained, isInChain, run)
        }
    }

    private static let forged = "was not written by gatehouse"
    private static let older = "is an older state that was put back"
    private static let ended = "was ended or removed by gatehouse, and put back"
    private static func hex(_ text: String) -> String { SHA256Digest(of: text).hexadecimal }
    private static func name(_ text: String) -> String { String(hex(text).prefix(32)) }

    static let people: [Attempt] = [
        Attempt(
            "an administrator is made",
            """
            INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at, generation, signature)
            SELECT 'eve', 'eve', 'admin', password_hash, 0, created_at, password_changed_at, generation, signature FROM users WHERE id = 1
            """,
            "users row 4: \(forged)"
        ),
        Attempt("a role is raised", "UPDATE users SET role = 'admin', apps = NULL WHERE id = 2", "users row 2: \(forged)"),
        Attempt(
            "a second factor is taken away",
            "UPDATE users SET totp_secret = NULL WHERE id = 1",
            "users row 1: \(forged)",
            lost: [.ann, .sessionOne]
        ),
        Attempt(
            "a used code is made good again",
            "UPDATE users SET totp_step = 0 WHERE id = 1",
            "users row 1: \(forged)",
            lost: [.ann, .sessionOne]
        ),
        Attempt(
            "a password is replaced",
            "UPDATE users SET password_hash = '$argon2id$of-eve' WHERE id = 1",
            "users row 1: \(forged)",
            lost: [.ann, .sessionOne]
        ),
        Attempt(
            "somebody is invited",
            "UPDATE users SET invitation_digest = x'\(hex("mine"))', invitation_expires_at = 9000000000000 WHERE id = 1",
            "users row 1: \(forged)",
            lost: [.ann, .sessionOne]
        ),
        Attempt(
            "a proxy is to sign somebody in",
            "UPDATE users SET password_hash = '', origin = 'proxy' WHERE id = 1",
            "users row 1: \(forged)",
            lost: [.ann, .sessionOne]
        ),
        Attempt("a disabled person is enabled", "UPDATE users SET disabled = 0 WHERE id = 2", "users row 2: \(forged)"),
        Attempt(
            "a disabled person is enabled by the row of before",
            "INSERT OR REPLACE INTO users SELECT * FROM before.users WHERE id = 2",
            "users row 2: \(older)"
        ),
        Attempt(
            "a person who was removed comes back",
            "INSERT INTO users SELECT * FROM before.users WHERE id = 3",
            "users row 3: \(ended)"
        ),
        Attempt("a person is removed", "DELETE FROM users WHERE id = 2", "users row 2: is missing"),
        Attempt("two people change their numbers", "UPDATE users SET id = 9 WHERE id = 2", "users row 9: \(forged)"),
    ]

    static let credentials: [Attempt] = [
        Attempt(
            "a token is made",
            """
            INSERT INTO tokens (id, name, secret_digest, role, created_by, created_at, generation, signature)
            SELECT 'eve00001', 'eve', secret_digest, 'admin', 'eve', created_at, generation, signature FROM tokens WHERE id = 'serv0001'
            """,
            "tokens row eve00001: \(forged)"
        ),
        Attempt(
            "a token reaches further",
            "UPDATE tokens SET role = 'admin' WHERE id = 'serv0001'",
            "tokens row serv0001: \(forged)",
            lost: [.serversToken]
        ),
        Attempt(
            "a token gets another secret",
            "UPDATE tokens SET secret_digest = x'\(hex("mine"))' WHERE id = 'serv0001'",
            "tokens row serv0001: \(forged)",
            lost: [.serversToken]
        ),
        Attempt(
            "a revoked token is made good",
            "UPDATE tokens SET revoked_at = NULL WHERE id = 'ann00001'",
            "tokens row ann00001: \(forged)"
        ),
        Attempt(
            "a revoked token is made good by the row of before",
            "INSERT OR REPLACE INTO tokens SELECT * FROM before.tokens WHERE id = 'ann00001'",
            "tokens row ann00001: \(ended)"
        ),
        Attempt(
            "a session is made",
            """
            INSERT INTO sessions (id, user_id, csrf_digest, created_at, last_seen_at, expires_at, reauthenticated_at, address, user_agent, generation, signature)
            SELECT x'\(hex("forged"))', user_id, csrf_digest, created_at, last_seen_at, expires_at, reauthenticated_at, address, user_agent, generation, signature
            FROM sessions
            """,
            "sessions row \(name("forged")): \(forged)"
        ),
        Attempt(
            "a session lasts longer",
            "UPDATE sessions SET expires_at = expires_at + 1",
            "sessions row \(name("one")): \(forged)",
            lost: [.sessionOne]
        ),
        Attempt(
            "a session is fresh again",
            "UPDATE sessions SET reauthenticated_at = reauthenticated_at + 1",
            "sessions row \(name("one")): \(forged)",
            lost: [.sessionOne]
        ),
        Attempt(
            "a session becomes another's",
            "UPDATE sessions SET user_id = 2",
            "sessions row \(name("one")): \(forged)",
            lost: [.sessionOne]
        ),
        Attempt(
            "a session that ended comes back",
            "INSERT INTO sessions SELECT * FROM before.sessions WHERE id = x'\(hex("two"))'",
            "sessions row \(name("two")): \(ended)"
        ),
        Attempt(
            "a recovery code is made",
            "INSERT INTO recovery_codes (user_id, digest) VALUES (1, x'\(hex("forged"))')",
            "recovery_codes row 1:\(name("forged")): \(forged)"
        ),
        Attempt(
            "a used recovery code is made good",
            "UPDATE recovery_codes SET used_at = NULL WHERE used_at > 0",
            "recovery_codes row 1:\(name("A")): \(forged)"
        ),
        Attempt(
            "a used recovery code is made good by the row of before",
            "INSERT OR REPLACE INTO recovery_codes SELECT * FROM before.recovery_codes WHERE digest = x'\(hex("A"))'",
            "recovery_codes row 1:\(name("A")): \(ended)"
        ),
    ]

    static let windows: [Attempt] = [
        Attempt(
            "a window does something else",
            #"UPDATE windows SET document = replace(document, '"then":"restore"', '"then":"open"') WHERE id = 1"#,
            "windows row 1: \(forged)",
            lost: [.windowOne]
        ),
        Attempt(
            "a window comes earlier",
            "UPDATE windows SET due_at = due_at - 1 WHERE id = 1",
            "windows row 1: \(forged)",
            lost: [.windowOne]
        ),
        Attempt(
            "a window is made",
            #"INSERT INTO windows SELECT 9, 9, state, due_at, replace(document, '"id":1', '"id":9'), generation, signature FROM windows WHERE id = 1"#,
            "windows row 9: \(forged)"
        ),
        Attempt(
            "a cancelled window comes back",
            "INSERT OR REPLACE INTO windows SELECT * FROM before.windows WHERE id = 2",
            "windows row 2: \(ended)"
        ),
        Attempt(
            "a window is removed",
            "DELETE FROM windows WHERE id = 1; DELETE FROM window_targets WHERE window_id = 1",
            "windows row 1: is missing",
            lost: [.windowOne]
        ),
    ]

    private static let tables = SignedTable.allCases.map(\.rawValue)

    static let lists: [Attempt] = [
        Attempt(
            "a row is put back with the list of its table",
            "INSERT OR REPLACE INTO users SELECT * FROM before.users WHERE id = 2; INSERT OR REPLACE INTO signatures SELECT * FROM before.signatures WHERE name = 'users'",
            "signatures row users: \(older)",
            lost: [.ann, .sessionOne]
        ),
        Attempt(
            "a list is altered",
            "UPDATE signatures SET content = content || '9 1' || char(10) WHERE name = 'tokens'",
            "signatures row tokens: \(forged) with this key",
            lost: [.serversToken]
        ),
        Attempt(
            "a list is removed",
            "DELETE FROM signatures WHERE name = 'windows'",
            "signatures row windows: is missing",
            lost: [.windowOne]
        ),
        Attempt(
            "everything that is signed is put back at once",
            tables.map { "DELETE FROM \($0); INSERT INTO \($0) SELECT * FROM before.\($0);" }.joined()
                + "INSERT OR REPLACE INTO signatures SELECT * FROM before.signatures",
            "changes row 5: \(forged)",
            lost: Subject.obeyed
        ),
        Attempt(
            "all signatures are stripped, as if there had never been any",
            "DELETE FROM signatures;" + tables.map { "UPDATE \($0) SET generation = NULL, signature = NULL;" }.joined(),
            "signatures row heads: is missing",
            lost: Subject.obeyed
        ),
        Attempt("another key is put in place", "signatures row heads: \(forged) with this key", lost: Subject.obeyed) { folder in
            try Data([UInt8](repeating: 8, count: 32)).write(to: URL(filePath: folder.scratch.key))
        },
        Attempt("the key is lost", "keys: rows.key is missing: nobody can tell who wrote people, tokens and windows", lost: Subject.obeyed)
        { folder in
            try FileManager.default.removeItem(atPath: folder.scratch.key)
        },
    ]

    private static func withoutAnchor(_ folder: TamperedFolder) throws {
        try FileManager.default.removeItem(atPath: folder.scratch.data + "/anchor.json")
    }
    private static let cutChanges =
        "DELETE FROM changes WHERE sequence = 5; DELETE FROM change_targets WHERE sequence = 5; DELETE FROM targets; INSERT INTO targets SELECT * FROM before.targets"

    static let history: [Attempt] = [
        Attempt("an entry of the audit is removed", "DELETE FROM audit WHERE sequence = 4", "audit row 4: is missing", isInChain: true),
        Attempt(
            "the audit's end is cut off",
            "DELETE FROM audit WHERE sequence >= 16",
            "audit row 16: is missing: the anchor knows rows up to 16"
        ),
        Attempt("the audit's end is cut off, and anchor.json removed", "audit row 16: is missing: gatehouse signed rows up to 16") {
            folder in
            try folder.tamper("DELETE FROM audit WHERE sequence >= 16")
            try withoutAnchor(folder)
        },
        Attempt("the history's end is cut off", cutChanges, "changes row 5: is missing: the anchor knows rows up to 5"),
        Attempt("the history's end is cut off, and anchor.json removed", "changes row 5: is missing: gatehouse signed rows up to 5") {
            folder in
            try folder.tamper(cutChanges)
            try withoutAnchor(folder)
        },
        Attempt("everything is computed anew", "changes row 5: hash is not the anchor's: the history was rewritten") { folder in
            try folder.tamper("UPDATE changes SET reason = 'INC-2' WHERE sequence = 4")
            try folder.rechain()
        },
        Attempt(
            "everything is computed anew, and anchor.json with it",
            "changes row 5: hash is not the one that gatehouse signed: the history was rewritten"
        ) { folder in
            try folder.tamper("UPDATE changes SET reason = 'INC-2' WHERE sequence = 4")
            try folder.rechain()
            let queue = try folder.scratch.raw()
            let anchor = try queue.read { try ChainStore.anchor(in: SQLConnection($0)) }
            try anchor.write(to: folder.scratch.data + "/anchor.json", doing: "Testing")
        },
        Attempt("an entry of the audit is made", "audit row 17: \(forged)", lost: Subject.obeyed) { folder in
            try folder.tamper(
                """
                INSERT INTO audit SELECT 17, at, actor_kind, actor_name, action, outcome, subject, address, request_id, detail, hash, actor_id, actor_user
                FROM audit WHERE sequence = 16
                """
            )
            try folder.rechain()
        },
        Attempt(
            "the database of before is put back",
            "changes row 5: is missing: the anchor knows rows up to 5",
            gained: [.ben, .carl, .annsToken, .sessionTwo, .codeA, .windowTwo],
            isInChain: true
        ) { folder in
            try folder.putBack()
        },
    ]

    /// What nobody finds who has the folder alone.
    static let unfound: [Attempt] = [
        Attempt(
            "the database of before is put back, and anchor.json with it",
            nil,
            gained: [.ben, .carl, .annsToken, .sessionTwo, .codeA, .windowTwo]
        ) { folder in
            try folder.putBack()
            try withoutAnchor(folder)
        },
        Attempt("who has the key too makes an administrator", nil, gained: [.eve]) { folder in
            try folder.tamper(
                """
                INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at)
                SELECT 'eve', 'eve', 'admin', password_hash, 0, created_at, password_changed_at FROM users WHERE id = 1
                """
            )
            let hash = try #require(KeyedHash(key: Scratch.random.bytes(32)))
            let queue = try folder.scratch.raw()
            try queue.writeWithoutTransaction { db in _ = try Signatures.signAll(SQLConnection(db), hash, after: 99) }
            try queue.close()
        },
        Attempt("a session was seen just now", "UPDATE sessions SET last_seen_at = last_seen_at + 1", nil),
        Attempt("a token was used just now", "UPDATE tokens SET last_used_at = 1", nil),
        Attempt("failures to sign in are forgotten", "DELETE FROM throttles", nil),
        Attempt("a window is not listed under its app", "DELETE FROM window_targets", nil),
    ]

    @Test(.onSQLite, arguments: people + credentials + windows + lists + history + unfound) func whatIsTriedIsFoundAndNotObeyed(
        attempt: Attempt
    )
        throws
    {
        let folder = try TamperedFolder()
        #expect(try Store.verify(directory: folder.scratch.data, server: folder.scratch.address, migrations: Scratch.migrations) == [])
        try attempt.run(folder)
        let faults = try Store.verify(directory: folder.scratch.data, server: folder.scratch.address, migrations: Scratch.migrations).map(
            \.description
        )
        #expect(faults.first == attempt.fault, "\(faults)")

        let store = try folder.scratch.store()
        let doubts = try store.doubts().all
        #expect(doubts.isEmpty == (attempt.fault == nil || attempt.isInChain), "\(doubts)")
        do {
            let obeyed = try folder.obeyed(by: store)
            #expect(obeyed == Subject.obeyed.subtracting(attempt.lost).union(attempt.gained))
        } catch let error as StoreError {
            #expect([.keyMissing, .unsigned].contains(error.code), "\(error)")
            #expect(attempt.lost == Subject.obeyed)
        }
        try store.close()
    }

    /// With an anchor that was kept elsewhere, also what was put back whole.
    @Test(.onSQLite) func anAnchorFromElsewhereKnowsAnOlderFolder() throws {
        let folder = try TamperedFolder()
        let anchor = try #require(try ChainAnchor.kept(in: folder.scratch.data))
        for attempt in Self.unfound.prefix(1) { try attempt.run(folder) }
        #expect(try Store.verify(directory: folder.scratch.data, server: folder.scratch.address, migrations: Scratch.migrations) == [])
        #expect(
            try Store.verify(directory: folder.scratch.data, server: folder.scratch.address, migrations: Scratch.migrations, anchor: anchor)
                .first?.description
                == "changes row 5: is missing: the anchor knows rows up to 5"
        )
    }

    @Test(.onSQLite) func theFolderIsWhatTheTableTakesItFor() throws {
        let folder = try TamperedFolder()
        let store = try folder.scratch.store()
        #expect(try store.doubts().isEmpty)
        #expect(try folder.obeyed(by: store) == Subject.obeyed)
        #expect(try store.anchor().audit?.sequence == 17, "using a code leaves an entry after the sixteen")
    }
}
