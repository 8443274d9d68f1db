import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// What let somebody in is looked at again before an answer is repeated and while a long body came, beside any writer.
@Suite struct AuthorityTests {
    private let scratch: Scratch
    private let store: Store
    private let ann: UserRecord

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        _ = try store.createFirstUser(Self.user("root", in: scratch), audit: Self.audit(scratch))
        ann = try store.createUser(Self.user("ann", in: scratch), audit: Self.audit(scratch))
    }

    private static func audit(_ scratch: Scratch) -> AuditEntry {
        AuditEntry(at: scratch.clock.now, actor: Actor(kind: .user, name: "root"), action: "test", requestId: "r")
    }

    private static func user(_ name: String, in scratch: Scratch) -> NewUser {
        NewUser(
            name: name,
            role: .admin,
            apps: .all,
            passwordHash: PasswordHash(stored: "$argon2id$of-\(name)"),
            createdAt: scratch.clock.now
        )
    }

    private func token(_ id: String, owner: UserRecord?) throws -> Authority {
        let token = TokenRecord(
            id: id,
            name: "ci",
            secretDigest: SHA256Digest(of: id),
            role: .operator,
            apps: .all,
            createdBy: "root",
            ownerID: owner?.id,
            createdAt: scratch.clock.now,
            expiresAt: nil
        )
        try store.createToken(token, audit: Self.audit(scratch))
        return .token(id: id, owner: owner.map(Authority.Reach.init))
    }

    private func session() throws -> Authority {
        let id = SHA256Digest(of: "session")
        let session = SessionRecord(
            id: id,
            userID: ann.id,
            csrfDigest: id,
            createdAt: scratch.clock.now,
            lastSeenAt: scratch.clock.now,
            expiresAt: scratch.clock.now.advanced(bySeconds: 3_600),
            reauthenticatedAt: scratch.clock.now,
            address: "192.0.2.7",
            userAgent: ""
        )
        _ = try store.createSession(session, of: ann, audit: Self.audit(scratch))
        return .session(id, Authority.Reach(ann))
    }

    private func demote() throws {
        _ = try store.editUser(id: ann.id) { user in
            user.role = .viewer
            return Self.audit(scratch)
        }
    }

    @Test func whoStillMayIsLetThrough() throws {
        let all: [Authority] = [
            .server, try session(), .person(ann.id, Authority.Reach(ann)), try token("ab12cd34", owner: nil),
            try token("ef56gh78", owner: ann),
        ]
        for authority in all { #expect(throws: Never.self, "\(authority)") { try store.check(authority) } }
    }

    @Test func whoMayNoMoreIsNot() throws {
        let (free, owned) = (try token("ab12cd34", owner: nil), try token("ef56gh78", owner: ann))
        let session = try session()
        func word(_ authority: Authority) -> StoreError.Code? {
            do throws(StoreError) {
                try store.check(authority)
                return nil
            } catch { return error.code }
        }
        try store.revokeToken(id: "ab12cd34", at: scratch.clock.now, audit: Self.audit(scratch))
        #expect(word(free) == .ended)
        #expect(word(owned) == nil)
        try demote()
        for ended in [owned, session, .person(ann.id, Authority.Reach(ann))] { #expect(word(ended) == .ended, "\(ended)") }
    }
}
