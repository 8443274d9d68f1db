import GateCrypto
import GateJSON
import GateModel

extension Store {
    /// One write transaction on behalf of somebody who was authenticated before it began.
    /// - Throws: ``StoreError/Code/ended`` when what let them in is no longer valid; then nothing is written.
    func write<Value>(_ doing: String, by authority: Authority, _ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
        let now = configuration.now()
        return try write(doing) { db in
            try check(authority, at: now, in: db, signatures.trust(in: db))
            return try body(db)
        }
    }

    /// - Throws: ``StoreError/Code/ended``.
    func check(_ authority: Authority, at now: Timestamp, in db: SQLConnection, _ trust: RowTrust) throws {
        switch authority {
        case .server: return
        case .session(let id, let reach):
            let row = try db.cachedStatement(
                sql: """
                    SELECT users.role, users.apps FROM sessions JOIN users ON users.id = sessions.user_id
                    WHERE sessions.id = ? AND sessions.expires_at > ? AND users.disabled = 0
                    """
            ).row(arguments: [id.bytes, now.milliseconds])
            guard let row, try PeopleRows.reach(row).covers(reach) else { throw StoreError(.ended, "The session has ended") }
        case .person(let id, let reach):
            guard let user = try user(id, in: db, trust), user.mayEnter, Authority.Reach(user).covers(reach) else {
                throw StoreError(.ended, "The person no longer has the rights that this was begun with")
            }
        case .token(let id, let reach):
            guard let token = try token(id, in: db, trust), token.isValid(at: now) else {
                throw StoreError(.ended, "The token has ended")
            }
            guard let owner = token.ownerID else { return }
            let user = try user(owner, in: db, trust)
            guard let user, user.mayEnter, Authority.Reach(user) == reach else {
                throw StoreError(.ended, "The token's owner no longer has the rights that it was used with")
            }
        }
    }
}

extension UserRecord {
    /// Whether a proof of identity given against an earlier record of this person still holds: the password and the second factor are the
    /// same, and they may still enter. A hash that was only recomputed at a higher cost is the same password.
    package func isStill(_ proven: UserRecord) -> Bool {
        id == proven.id && mayEnter && passwordChangedAt == proven.passwordChangedAt && totpSecret == proven.totpSecret
    }
}

extension Store {
    /// Checks once more what let somebody in, for what is done without a transaction of their own.
    /// - Throws: ``StoreError/Code/ended``.
    package func check(_ authority: Authority) throws(StoreError) {
        let now = configuration.now()
        let judge = try signatures.judge()
        try read("Reading who may do this") { db in try check(authority, at: now, in: db, judge.isRight) }
    }
}
