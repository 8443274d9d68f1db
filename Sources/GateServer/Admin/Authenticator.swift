import GateAPI
import GateHTTP
import GateModel
import GateService

/// Decides who a request is from, and whether a browser meant to send it.
struct Authenticator: Sendable {
    let access: AccessService
    let isSecure: Bool
    /// The dashboard's address as browsers see it, such as `https://gate.example.com`; nil to compare with the request's own Host.
    let origin: String?

    struct Proof: Sendable {
        let caller: Caller?
        let session: SignedIn?
    }

    /// - Throws: `unauthenticated`, `forbidden`, or malformed for two proofs at once.
    func authenticate(_ request: HTTPRequest, for endpoint: Endpoint) throws(ServiceError) -> Proof {
        let bearers = request.headers.values(of: "Authorization")
        let bearer = bearers.first
        let cookie = request.headers["Cookie"].flatMap { SessionCookie.secret(in: $0, isSecure: isSecure) }
        let changesState = endpoint.method != .get
        if endpoint.access == .anyone {
            if changesState { try requireOwnOrigin(request) }
            return Proof(caller: nil, session: nil)
        }
        guard bearers.count + (cookie == nil ? 0 : 1) <= 1 else {
            throw ServiceError(.malformed, "two_credentials", "Send a token or a session cookie, not both.")
        }
        if let bearer {
            let caller = try token(bearer, request)
            try caller.require(endpoint.access.role)
            return Proof(caller: caller, session: nil)
        }
        guard let cookie, let session = try access.session(cookie) else {
            throw ServiceError(.unauthenticated, "unauthenticated", "Sign in, or send a token in Authorization: Bearer.")
        }
        if changesState {
            try requireOwnOrigin(request)
            guard let given = request.headers["X-Gatehouse-CSRF"], access.matches(given, session) else {
                throw ServiceError(.forbidden, "csrf", "The request does not carry this session's CSRF token; reload the page.")
            }
        }
        let caller = Caller(
            actor: Actor(kind: .user, name: session.user.name),
            role: session.user.role,
            scope: session.user.scope,
            source: .dashboard,
            requestId: request.id,
            address: request.peer.text
        )
        try caller.require(endpoint.access.role)
        return Proof(caller: caller, session: session)
    }

    private func token(_ header: String, _ request: HTTPRequest) throws(ServiceError) -> Caller {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw ServiceError(.unauthenticated, "unauthenticated", "Send the token as Authorization: Bearer gate_….")
        }
        let source: Change.Source = request.headers["X-Gatehouse-Source"] == "gatectl" ? .gatectl : .api
        return try access.caller(token: String(parts[1]), source: source, requestId: request.id, address: request.peer.text)
    }

    /// A browser says where a request comes from; a page of another origin must not act in a user's name (ASVS 5.0 section 3.5).
    private func requireOwnOrigin(_ request: HTTPRequest) throws(ServiceError) {
        let refusal = ServiceError(.forbidden, "foreign_origin", "The request comes from a page of another origin.")
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin" { throw refusal }
        guard let given = request.headers["Origin"] else { return }
        let own = origin ?? "\(isSecure ? "https" : "http")://\(request.headers["Host"] ?? "")"
        guard given == own else { throw refusal }
    }
}

extension Endpoint.Access {
    /// The least role that may call the endpoint.
    var role: GateModel.Role {
        switch self {
        case .anyone, .viewer: .viewer
        case .operatorRole: .operator
        case .admin: .admin
        }
    }
}
