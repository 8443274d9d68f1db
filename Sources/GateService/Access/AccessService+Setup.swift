import GateCrypto
import GateJSON
package import GateModel
import GateStore
import Synchronization

/// The one-time code with which the first administrator is made in a browser.
struct SetupCode: Sendable {
    let code: String
    let expiresAt: Timestamp

    /// Seconds that a code is good for.
    static let lifetime: Int64 = 1_800
}

extension AccessService {
    /// Whether there is nobody yet who could sign in.
    package func needsSetup() throws(ServiceError) -> Bool {
        try store { store throws(StoreError) in try !store.hasUsers() }
    }

    /// A new set-up code while there is no user, else nil. Goes to standard output alone, never into the log.
    package func setupCode() -> String? {
        do {
            guard try needsSetup() else { return nil }
        } catch {
            // A database that cannot be read has nobody to set up for.
            failures.failed(.setUp, error)
            return nil
        }
        let code = random.secret()
        setup.withLock { $0 = SetupCode(code: code, expiresAt: now().advanced(bySeconds: SetupCode.lifetime)) }
        return code
    }

    /// Makes the first administrator.
    /// - Throws: `forbidden` from another machine or with a wrong, used or expired code; `exists` once there is a user.
    package func setUp(code: String, username: String, password: String, from origin: RequestOrigin) throws(ServiceError) -> User {
        guard origin.isLoopback else {
            throw ServiceError(
                .forbidden,
                "setup_not_local",
                "The first administrator is made from the server's own machine: open the set-up link there, or run gatehouse init."
            )
        }
        let isRight = setup.withLock { kept in kept.map { $0.expiresAt > now() && ConstantTime.equal($0.code, code) } ?? false }
        guard isRight else {
            throw ServiceError(
                .forbidden,
                "setup_code",
                "This set-up link is used up or too old; restart the server for a new one, or run gatehouse init."
            )
        }
        let user = try createFirstAdministrator(name: username, password: password, from: origin)
        setup.withLock { $0 = nil }
        return user
    }

    /// - Throws: `invalid_username`, `invalid_password`; `exists` once there is a user.
    @discardableResult
    package func createFirstAdministrator(name: String, password: String, from origin: RequestOrigin) throws(ServiceError) -> User {
        let name = try Self.username(name)
        try PasswordRules.check(password, username: name)
        let hash = try hasher.hash(password)
        let at = now()
        let entry = entry("people.create", outcome: .succeeded, actor: Actor(kind: .system, name: "setup"), subject: name, from: origin)
        do {
            let record = try store { store throws(StoreError) in
                try store.createFirstUser(NewUser(name: name, role: .admin, passwordHash: hash, createdAt: at), audit: entry)
            }
            return User(record)
        } catch  where error.word == "database_conflict" {
            // The store saw a user in the very transaction that should have added the first one.
            throw ServiceError(.exists, "exists", "There is an administrator already; sign in.")
        }
    }

    /// - Throws: `invalid_username` (422) for what has not the form of ``Username``.
    static func username(_ text: String) throws(ServiceError) -> String {
        guard Username.accepts(text) else {
            throw ServiceError(
                .invalid,
                "invalid_username",
                "A user name has 1 to 64 letters, digits, dots, hyphens, underscores or @, starts with a letter or digit, and is no number.",
                field: "/username"
            )
        }
        return text
    }
}
