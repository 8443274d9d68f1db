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
    /// With what they may do in this request.
    package var user: User
    /// Of the person; given once, never used again.
    package let userID: Int
    /// What the dashboard sends back with every change; made from the session's secret, so it need not be kept.
    package let csrf: String
    /// When the session ends whatever happens.
    package let expiresAt: Timestamp
    /// When the password was last given; of whom a proxy signs in, when it says so, else when the session began.
    package var reauthenticatedAt: Timestamp
    /// Who signed the person in. A session that a proxy's word began is worth nothing without that word.
    package let origin: Person.Origin?
    /// Of the cookie's secret: the session's key in the store.
    let digest: SHA256Digest

    /// Who asks in this session.
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

    /// The person, in the history and in the audit.
    var actor: Actor { Actor(kind: .user, name: user.name, id: String(userID)) }

    /// What has to be there still when something is written in this session.
    var authority: Authority { .session(digest) }

    /// For what is about a password that the person has here.
    /// - Throws: `proxy_person` (409).
    func requirePassword() throws(ServiceError) {
        guard origin == nil else { throw .ofProxy(user.name) }
    }

    /// Until when the password need not be given again for what wants a fresh sign-in.
    package func freshUntil(seconds: Int64) -> Timestamp { reauthenticatedAt.advanced(bySeconds: seconds) }
}

/// A session just made: the only time its secret is known.
package struct NewSession: Sendable {
    package let secret: String
    package let signedIn: SignedIn
    /// What makes the browser known at its person's next sign-in, whoever attacks their name; nil where no key can be kept.
    package let device: String?
}

/// Where a request about access came from.
package struct RequestOrigin: Sendable, Hashable {
    package let address: String
    package let isLoopback: Bool
    package let userAgent: String?
    package let requestId: String
    /// What the browser keeps of an earlier sign-in (``NewSession/device``), as it was sent: it may be anything.
    package let device: String?

    package init(address: String, isLoopback: Bool, userAgent: String?, requestId: String, device: String? = nil) {
        self.address = address
        self.isLoopback = isLoopback
        self.userAgent = userAgent
        self.requestId = requestId
        self.device = device
    }

    /// Somebody at a shell of the server itself.
    package static let console = RequestOrigin(address: "console", isLoopback: true, userAgent: nil, requestId: "console")
}
