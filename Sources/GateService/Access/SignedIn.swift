import GateCrypto
package import GateJSON
package import GateModel
import GateStore

extension User {
    init(_ record: UserRecord) { self.init(name: record.name, role: record.role, scope: record.apps) }
}

extension Actor {
    init(_ record: UserRecord) { self.init(kind: .user, name: record.name, id: String(record.id)) }
}

/// A session that a cookie named.
package struct SignedIn: Sendable, Hashable {
    /// The person, with what they may do in this request.
    package var user: User
    /// The person's id, which is never reused.
    package let userID: Int
    /// The token the dashboard sends with every change; derived from the session's secret, so it need not be stored.
    package let csrf: String
    /// When the session ends at the latest.
    package let expiresAt: Timestamp
    /// When the password was last given. For a person whom a proxy signs in: the time the proxy reports, or else when the session began.
    package var reauthenticatedAt: Timestamp
    /// Who signed the person in. A session that began on a proxy's word is worth nothing without that word.
    package let origin: Person.Origin?
    /// The digest of the cookie's secret: the session's key in the store.
    let digest: SHA256Digest
    /// What is stored of the person's rights. In a request they can have more, or less, on a proxy's word.
    var stored: Authority.Reach

    /// The caller for a request in this session.
    package func caller(source: Change.Source, requestId: String, address: String) -> Caller {
        Caller(
            actor: actor,
            role: user.role,
            scope: user.scope,
            source: source,
            requestId: requestId,
            address: address,
            userID: userID,
            authority: authority
        )
    }

    /// The person as the history and the audit name them.
    var actor: Actor { Actor(kind: .user, name: user.name, id: String(userID)) }

    /// What must still hold when something is written in this session.
    var authority: Authority { .session(digest, stored) }

    /// Checks that the person has a password here, for calls that need one.
    /// - Throws: `proxy_person` (409).
    func requirePassword() throws(ServiceError) {
        guard origin == nil else { throw .ofProxy(user.name) }
    }

    /// Until when actions that need a fresh sign-in do not ask for the password again.
    package func freshUntil(seconds: Int64) -> Timestamp { reauthenticatedAt.advanced(bySeconds: seconds) }
}

/// A session just made: the only time its secret is known.
package struct NewSession: Sendable {
    package let secret: String
    package let signedIn: SignedIn
    /// What makes the browser known at its person's next sign-in, even while their name is attacked; nil where no key can be stored.
    package let device: String?
}

/// Where a request about access came from.
package struct RequestOrigin: Sendable, Hashable {
    package let address: String
    package let isLoopback: Bool
    package let userAgent: String?
    package let requestId: String
    /// What the browser kept from an earlier sign-in (``NewSession/device``), exactly as sent: it may be anything.
    package let device: String?

    package init(address: String, isLoopback: Bool, userAgent: String?, requestId: String, device: String? = nil) {
        self.address = address
        self.isLoopback = isLoopback
        self.userAgent = userAgent
        self.requestId = requestId
        self.device = device
    }

    /// Somebody at a shell on the server itself.
    package static let console = RequestOrigin(address: "console", isLoopback: true, userAgent: nil, requestId: "console")
}
