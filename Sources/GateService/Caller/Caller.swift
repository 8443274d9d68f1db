package import GateJSON
package import GateModel
package import GateStore

/// Who makes a request, as far as that was proven, and from where.
package struct Caller: Sendable, Hashable {
    package let actor: Actor
    package let role: Role
    /// The apps that the role applies to.
    package let scope: AppScope
    package let source: Change.Source
    package let requestId: String
    /// The peer's address as text, for the audit.
    package let address: String
    /// The person who is signed in, or who owns the token; nil for a token of the server's own.
    package let userID: Int?
    /// The token that was sent; nil for a session.
    package let token: TokenProof?
    /// What let the caller in; it must still hold when something is written for them.
    package let authority: Authority

    /// What a token's bearer may know about it.
    package struct TokenProof: Sendable, Hashable {
        package let id: String
        package let expiresAt: Timestamp?
    }

    package init(
        actor: Actor,
        role: Role,
        scope: AppScope,
        source: Change.Source,
        requestId: String,
        address: String,
        userID: Int? = nil,
        token: TokenProof? = nil,
        authority: Authority = .server
    ) {
        self.actor = actor
        self.role = role
        self.scope = scope
        self.source = source
        self.requestId = requestId
        self.address = address
        self.userID = userID
        self.token = token
        self.authority = authority
    }

    package func sees(_ app: AppKey) -> Bool { scope.contains(app) }

    /// - Throws: `forbidden`, naming what is missing.
    package func require(_ role: Role, of app: AppKey? = nil) throws(ServiceError) {
        guard self.role >= role else {
            throw ServiceError(.forbidden, "forbidden", "This needs the role \(role.rawValue); \(actor.name) has \(self.role.rawValue).")
        }
        if let app, !sees(app) {
            throw ServiceError(.forbidden, "forbidden", "\(actor.name) may not touch the app \(app).")
        }
    }

    /// Nobody gives, changes or takes away more than they have themselves.
    /// - Throws: `forbidden`.
    func requireReach(of role: Role, _ scope: AppScope) throws(ServiceError) {
        guard self.role >= role, self.scope.covers(scope) else {
            throw ServiceError(
                .forbidden,
                "forbidden",
                "This reaches further than \(actor.name), who is \(self.role.rawValue) of \(self.scope.inWords)."
            )
        }
    }
}

extension AppScope {
    /// The apps that are in both.
    func intersection(_ other: AppScope) -> AppScope {
        switch (self, other) {
        case (.all, _): other
        case (_, .all): self
        case (.only(let apps), .only(let others)): .only(apps.intersection(others))
        }
    }

    fileprivate var inWords: String {
        switch self {
        case .all: "all apps"
        case .only(let apps): apps.isEmpty ? "no app" : apps.sorted().map(\.text).joined(separator: ", ")
        }
    }
}
