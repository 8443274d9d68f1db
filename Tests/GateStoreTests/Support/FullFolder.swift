import GateCrypto
import GateJSON
import GateModel
import GateTesting

@testable import GateStore

/// A closed data folder with rows in every table: of the history a gap that a restore left, several targets in one change, a target that
/// was deleted and one that came back.
enum FullFolder {
    static func make() throws -> Scratch {
        let scratch = try Scratch(server: nil)
        try scratch.store().closing { store in
            var world = try store.fill()
            world.owners["ci"] = "ann"
            for feed in [OwnFeedRowTests.status, OwnFeedRowTests.other] { try store.commit(world.put(feed, of: .shop)) }
            try store.commit(
                world.saveApp(
                    .bank,
                    name: "Bänk 🏦 'n \"co\" \\",
                    aliases: [Alias(path: "bank/b.json", feed: .library(.bellerophon), platform: .ios)]
                )
            )
            try store.commit(world.create(.bankIOS))
            try store.commit(
                world.set([.shopIOS: .open, .shopAndroid: .everything], actor: "ci", source: .api, reason: "Zürich\n\t\u{1F6AA}")
            )
            try store.commit(world.delete(.bankIOS))
            try store.commit(world.create(.bankIOS))
            try store.commit(world.delete(.shopAndroid))
            try store.commit(world.saveApp(AppKey("empty")!, name: "Empty"))
            _ = try store.backUp(to: scratch.path + "/one.backup")
        }
        var request = RestoreRequest(
            directory: scratch.data,
            backup: scratch.path + "/one.backup",
            migrations: Scratch.migrations,
            now: { scratch.clock.now }
        )
        request.random = Scratch.random
        _ = try Store.restore(request)
        try scratch.store().closing { try fillPeople(of: $0, at: scratch.clock.now) }
        return scratch
    }

    static func session(_ number: UInt8, of user: UserRecord, at now: Timestamp) -> SessionRecord {
        SessionRecord(
            id: SHA256Digest(of: [number]),
            userID: user.id,
            csrfDigest: SHA256Digest(of: [number, 1]),
            createdAt: now,
            lastSeenAt: now,
            expiresAt: now.advanced(bySeconds: 3_600),
            reauthenticatedAt: now,
            address: "2001:db8::1",
            userAgent: "Mozilla/5.0 'x'"
        )
    }

    private static func fillPeople(of store: Store, at now: Timestamp) throws {
        let entry = AuditEntry(at: now, actor: nil, action: "people.create", requestId: "r", detail: ["name": .string("ann")])
        func user(_ name: String, _ role: Role = .admin, apps: AppScope = .all) throws -> UserRecord {
            try store.createUser(
                NewUser(name: name, role: role, apps: apps, passwordHash: PasswordHash(stored: "$argon2id$of-\(name)"), createdAt: now),
                audit: entry
            )
        }
        let ann = try user("Ann")
        let bob = try user("böb", .operator, apps: .only([.shop]))
        // The last number that was given is nobody's any more, and must not be given again.
        try store.deleteUser(id: try user("gone", .viewer).id, audit: entry)
        try store.replaceRecoveryCodes(of: ann.id, with: (1...3).map { SHA256Digest(of: [$0]) }, audit: entry)
        _ = try store.useRecoveryCode(of: ann.id, digest: SHA256Digest(of: [2]), at: now, audit: entry)
        for number in UInt8(1)...2 { try store.createSession(session(number, of: ann, at: now), of: ann, audit: entry) }
        try store.createSession(session(3, of: bob, at: now), of: bob, audit: entry)
        for (id, owner) in [("k7Fq2Zx1", ann.id), ("server00", nil)] {
            try store.createToken(
                TokenRecord(
                    id: id,
                    name: "ci",
                    secretDigest: SHA256Digest(of: Array(id.utf8)),
                    role: .operator,
                    apps: .only([.shop]),
                    createdBy: "Ann",
                    ownerID: owner,
                    createdAt: now,
                    expiresAt: nil
                ),
                audit: entry
            )
        }
        try store.revokeToken(id: "server00", at: now, audit: entry)
        try store.countFailures([Store.FailureCount(scope: "name/ann", window: 60, delay: { _ in 5 })], at: now)
        try store.saveIdempotency(
            IdempotencyRecord(actor: "token/k7Fq2Zx1", key: "a", requestDigest: .zero, status: 200, body: [0, 1, 0xFF, 0x5C], at: now)
        )
        try store.saveIdempotency(
            IdempotencyRecord(actor: "token/k7Fq2Zx1", key: "b", requestDigest: .zero, status: 201, body: [], at: now)
        )
        try store.save([WindowRecord(window: UnreadableRowTests.window(1, at: now.advanced(bySeconds: 600)), version: 1)], audit: [entry])
        try store.anchor().write(to: store.configuration.directory + "/anchor.json", doing: "x")
    }
}

extension Scratch {
    /// Lends a connection that only reads the folder's database, past any store.
    func look<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        let queue = try Connection.inspector(configuration())
        let value = try queue.read(body)
        try queue.close()
        return value
    }

    /// The folder's database in one of PostgreSQL.
    func copied() throws -> PostgresDatabase {
        let database = try PostgresCluster.shared().database()
        _ = try Store.copy(configuration(), to: DatabaseServer(database.url))
        return database
    }
}

extension PostgresDatabase {
    /// Lends a connection, for one consistent state in which nothing can be written.
    func look<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        let queue = try SQLQueue(self)
        let value = try queue.read(body)
        try queue.close()
        return value
    }

    /// Lends a connection outside of any transaction.
    func write<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        let queue = try SQLQueue(self)
        let value = try queue.run(body)
        try queue.close()
        return value
    }
}
