import GateCrypto
import GateJSON
package import GateModel
import GateStore
import Synchronization

/// The one-time code for creating the first administrator in a browser.
struct SetupCode: Sendable {
    let code: String
    let expiresAt: Timestamp

    /// Seconds for which a code is valid.
    static let lifetime: Int64 = 1_800
}

extension AccessService {
    /// Whether there is no user yet.
    package func needsSetup() throws(ServiceError) -> Bool {
        try store { store throws(StoreError) in try !store.hasUsers() }
    }

    /// A new set-up code while there is no user, otherwise nil. It goes only to standard output, never into the log.
    package func setupCode() -> String? {
        do {
            guard try needsSetup() else { return nil }
        } catch {
            // While the database cannot be read there is nothing to set up.
            failures.failed(.setUp, error)
            return nil
        }
        let code = random.secret()
        setup.withLock { $0 = SetupCode(code: code, expiresAt: now().advanced(bySeconds: SetupCode.lifetime)) }
        return code
    }

    /// Creates the first administrator.
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
        let entry = entry("people.create", actor: Actor(kind: .system, name: "setup"), subject: name, from: origin)
        do {
            let record = try store { store throws(StoreError) in
                try store.createFirstUser(NewUser(name: name, role: .admin, passwordHash: hash, createdAt: at), audit: entry)
            }
            return User(record)
        } catch  where error.word == "database_conflict" {
            // The store found a user in the same transaction that would have added the first one.
            throw ServiceError(.exists, "exists", "There is an administrator already; sign in.")
        }
    }

    /// - Throws: `invalid_username` (422) for text that does not have the form of a ``Username``.
    static func username(_ text: String) throws(ServiceError) -> String {
        guard Username.accepts(text) else {
            throw ServiceError(
                .invalid,
                "invalid_username",
                "A user name has 1 to 64 letters, digits, dots, hyphens, underscores or @, starts with a letter or digit, and is not a number.",
                field: "/username"
            )
        }
        return text
    }
}
