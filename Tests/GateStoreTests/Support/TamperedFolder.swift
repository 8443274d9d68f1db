import Foundation
import GRDB
import GateCrypto
import GateJSON
import GateModel
import GateTesting

@testable import GateStore

/// A data folder with people, tokens, sessions, recovery codes and windows, some of which have come to an end since its database was copied
/// to `before.sqlite` beside it.
///
/// - `ann` (1) is an administrator with a second factor; `ben` (2) an operator who was disabled since; `carl` (3) was removed since.
/// - Token `ann00001` was revoked since; `serv0001` is the server's own.
/// - Of ann's sessions `one` goes on, `two` has ended since; of her recovery codes `A` was used since, `B` not.
/// - Window 1 waits; window 2 was cancelled since.
struct TamperedFolder {
    let scratch: Scratch

    var before: String { scratch.path + "/before.sqlite" }

    init() throws {
        let made = try Self.template.get()
        scratch = try Scratch(database: made.after)
        try made.before.write(to: URL(filePath: before))
        try made.anchor.write(to: URL(filePath: scratch.data + "/anchor.json"))
    }

    /// Runs SQL as a person with a sqlite3 shell does who takes care: without triggers and foreign keys, with the earlier database at hand
    /// as `before`, and so that no trigger is missing afterwards.
    func tamper(_ sql: String) throws {
        let queue = try scratch.raw()
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF")
            let triggers = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            for row in triggers { try db.execute(sql: "DROP TRIGGER \(row["name"] as String)") }
            try db.execute(sql: "ATTACH ? AS before", arguments: [before])
            try db.execute(sql: sql)
            try db.execute(sql: "DETACH before")
            for row in triggers { try db.execute(sql: row["sql"]) }
        }
        try queue.close()
    }

    /// Puts the database of before in place.
    func putBack() throws { try Data(contentsOf: URL(filePath: before)).write(to: URL(filePath: scratch.database)) }

    /// Computes every hash of both chains anew, as somebody does who has read how.
    func rechain() throws {
        let queue = try scratch.raw()
        try queue.writeWithoutTransaction { db in
            let triggers = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            for row in triggers { try db.execute(sql: "DROP TRIGGER \(row["name"] as String)") }
            for domain in ChainDomain.allCases {
                var head = ChainHead.empty
                while true {
                    let sequence = head.sequence + 1
                    func rows(_ table: HistoryTable, _ order: String) throws -> [HashedRow] {
                        try Row.fetchAll(
                            db,
                            sql:
                                "SELECT \(table.columnsAsBytes(in: SQLConnection(db))) FROM \(table.rawValue) WHERE sequence = ? ORDER BY \(order)",
                            arguments: [sequence]
                        )
                        .map { row in HashedRow(table: table, values: table.columns.indices.map { (row[$0] as Data?).map(Array.init) }) }
                    }
                    let own = try rows(domain.table, "sequence")
                    if own.isEmpty { break }
                    let hash = ChainLink.hash(
                        domain: domain,
                        sequence: sequence,
                        previous: head.hash,
                        rows: try own + (domain == .changes ? rows(.changeTargets, "position") : [])
                    )
                    try db.execute(
                        sql: "UPDATE \(domain.table.rawValue) SET hash = ? WHERE sequence = ?",
                        arguments: [Data(hash.bytes), sequence]
                    )
                    head = ChainHead(sequence: sequence, hash: hash)
                }
            }
            for row in triggers { try db.execute(sql: row["sql"]) }
        }
        try queue.close()
    }

    // MARK: What is obeyed

    enum Subject: CaseIterable {
        case ann, ben, carl, eve
        case annsToken, serversToken, forgedToken
        case sessionOne, sessionTwo, forgedSession
        case codeA, codeB, forgedCode
        case windowOne, windowTwo, forgedWindow

        /// Those that are obeyed in a folder that nobody has touched.
        static let obeyed: Set<Subject> = [.ann, .serversToken, .sessionOne, .codeB, .windowOne]
    }

    /// Who and what a store lets in and carries out. Uses recovery codes up.
    func obeyed(by store: Store) throws -> Set<Subject> {
        let now = scratch.clock.now
        func person(_ name: String) throws -> Bool { try store.user(named: name)?.mayEnter == true }
        func token(_ id: String) throws -> Bool {
            try store.tokenAndOwner(id: id).map { $0.token.isValid(at: now) && ($0.token.ownerID == nil || $0.owner?.mayEnter == true) }
                ?? false
        }
        func session(_ secret: String) throws -> Bool { try store.session(id: SHA256Digest(of: secret)) != nil }
        func code(_ text: String) throws -> Bool {
            try store.useRecoveryCode(of: 1, digest: SHA256Digest(of: text), at: now, audit: Self.audit("account.recovery_code"))
        }
        func window(_ id: Int) throws -> Bool { try store.loadSchedule().active.contains { $0.window.id == id } }
        return try Set(
            Subject.allCases.filter { subject in
                switch subject {
                case .ann: try person("ann")
                case .ben: try person("ben")
                case .carl: try person("carl")
                case .eve: try person("eve")
                case .annsToken: try token("ann00001")
                case .serversToken: try token("serv0001")
                case .forgedToken: try token("eve00001")
                case .sessionOne: try session("one")
                case .sessionTwo: try session("two")
                case .forgedSession: try session("forged")
                case .codeA: try code("A")
                case .codeB: try code("B")
                case .forgedCode: try code("forged")
                case .windowOne: try window(1)
                case .windowTwo: try window(2)
                case .forgedWindow: try window(9)
                }
            }
        )
    }

    // MARK: Making it

    private static func audit(_ action: String) -> AuditEntry {
        AuditEntry(
            at: Timestamp(milliseconds: World.start),
            actor: Actor(kind: .user, name: "ann", id: "1"),
            action: action,
            requestId: "r"
        )
    }

    private static let template = Result { () throws -> (before: Data, after: Data, anchor: Data) in
        let scratch = try Scratch()
        var world = World()
        try scratch.store().closing { store in
            world = try store.fill()
            try fill(store, scratch)
        }
        let copy = try scratch.databaseBytes()
        let anchor = try scratch.store().closing { store in
            try change(store, scratch, &world)
            return try store.anchor()
        }
        return (copy, try scratch.databaseBytes(), Data(anchor.json.bytes))
    }

    private static func fill(_ store: Store, _ scratch: Scratch) throws {
        let now = scratch.clock.now
        for (name, role) in [("ann", Role.admin), ("ben", .operator), ("carl", .admin)] {
            let user = NewUser(name: name, role: role, passwordHash: PasswordHash(stored: "$argon2id$of-\(name)"), createdAt: now)
            _ = try store.createUser(user, audit: audit("people.create"))
        }
        _ = try store.editUser(id: 1) { user in
            user.totpPending = [1, 2, 3]
            return audit("account.totp.start")
        }
        let codes = ["A", "B"].map { SHA256Digest(of: $0) }
        _ = try store.confirmTOTP([1, 2, 3], of: 1, step: 1, recoveryCodes: codes, audit: audit("account.totp.enable"))
        for (id, owner) in [("ann00001", 1), ("serv0001", nil)] as [(String, Int?)] {
            let token = TokenRecord(
                id: id,
                name: "ci",
                secretDigest: SHA256Digest(of: id),
                role: .operator,
                apps: .only([.shop]),
                createdBy: "ann",
                ownerID: owner,
                createdAt: now,
                expiresAt: now.advanced(bySeconds: 86_400)
            )
            try store.createToken(token, audit: audit("token.create"))
        }
        let ann = try store.user(id: 1)!
        for secret in ["one", "two"] {
            try store.createSession(.signedIn(ann.id, secret, at: now), of: ann, audit: audit("session.create"))
        }
        let windows = try [1, 2].map { WindowRecord(window: try WindowTests.window($0, "shop/ios"), version: $0) }
        try store.save(windows, audit: [audit("window.created")])
    }

    private static func change(_ store: Store, _ scratch: Scratch, _ world: inout World) throws {
        let now = scratch.clock.now
        _ = try store.editUser(id: 2) { user in
            user.disabled = true
            return audit("people.update")
        }
        try store.deleteUser(id: 3) { _ in audit("people.delete") }
        try store.revokeToken(id: "ann00001", at: now, audit: audit("token.revoke"))
        _ = try store.useRecoveryCode(of: 1, digest: SHA256Digest(of: "A"), at: now, audit: audit("account.recovery_code"))
        try store.endSession(id: SHA256Digest(of: "two"), audit: audit("session.delete"))
        let cancelled = try WindowTests.window(2, "shop/ios", state: .cancelled)
        try store.save([WindowRecord(window: cancelled, version: 3, previous: 2)], audit: [audit("window.cancelled")])
        try store.commit(world.set([.shopIOS: .everything]))
    }
}
