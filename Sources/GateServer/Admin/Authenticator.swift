import GateAPI
import GateHTTP
import GateModel
import GateService

/// Decides who a request is from, and whether a browser meant to send it.
struct Authenticator: Sendable {
    let access: AccessService
    /// The dashboard's addresses as browsers see them, such as `https://gate.example.com`; none to compare with the request's own Host.
    let origins: [String]

    struct Proof: Sendable {
        let caller: Caller?
        let session: SignedIn?

        /// Where nobody is asked who they are.
        static let nobody = Proof(caller: nil, session: nil)
    }

    /// Who asks; whether they may is ``authorize(_:for:)``'s to say.
    /// - Throws: `unauthenticated`; `forbidden` for what another page sent; malformed for two proofs at once.
    func authenticate(_ request: HTTPRequest, from sender: Sender, for endpoint: Endpoint) throws(ServiceError) -> Proof {
        let bearers = request.headers.values(of: "Authorization")
        let bearer = bearers.first
        let cookie = request.headers["Cookie"].flatMap { SessionCookie.secret(in: $0, isSecure: sender.isSecure) }
        let changesState = endpoint.method != .get
        if endpoint.access == .anyone {
            if changesState { try requireOwnOrigin(request, isSecure: sender.isSecure) }
            return .nobody
        }
        guard bearers.count + (cookie == nil ? 0 : 1) <= 1 else {
            throw ServiceError(.malformed, "two_credentials", "Send a token or a session cookie, not both.")
        }
        if let bearer {
            return Proof(caller: try token(bearer, request, from: sender), session: nil)
        }
        guard let cookie, let session = try access.session(cookie, requestId: request.id) else {
            var refusal = ServiceError(.unauthenticated, "unauthenticated", "Sign in, or send a token in Authorization: Bearer.")
            // A browser that asks whether it is signed in, and has nothing to show, tries nothing.
            refusal.isCounted = cookie == nil && !changesState
            throw refusal
        }
        if changesState {
            try requireOwnOrigin(request, isSecure: sender.isSecure)
            guard let given = request.headers["X-Gatehouse-CSRF"], access.matches(given, session) else {
                throw ServiceError(.forbidden, "csrf", "The request does not carry this session's CSRF token; reload the page.")
            }
        }
        let caller = session.caller(source: .dashboard, requestId: request.id, address: sender.address.text)
        return Proof(caller: caller, session: session)
    }

    /// Whether the caller may call the endpoint at all. The only place that reads an endpoint's ``Endpoint/access`` and ``Endpoint/proof``.
    /// - Throws: `forbidden`, `session_required`, `fresh_sign_in_required` (403).
    func authorize(_ proof: Proof, for endpoint: Endpoint) throws(ServiceError) {
        guard endpoint.access != .anyone else { return }
        guard let caller = proof.caller else { throw ServiceError(.unauthenticated, "unauthenticated", "Sign in, or send a token.") }
        try caller.require(endpoint.access.role)
        switch (endpoint.proof, proof.session) {
        case (.any, _), (.session, _?), (.fresh, nil): return
        case (.session, nil), (.freshSession, nil):
            throw ServiceError(
                .forbidden,
                "session_required",
                "This concerns a person's own account: sign in with name and password; a token does not do."
            )
        case (.fresh, let session?), (.freshSession, let session?):
            guard !access.isFresh(session, seconds: Endpoint.freshSeconds) else { return }
            var refusal = ServiceError(
                .forbidden,
                "fresh_sign_in_required",
                "Give your password again: this needs a sign-in of the last five minutes."
            )
            // The next step of doing it, and no denial.
            refusal.isCounted = true
            throw refusal
        }
    }

    private func token(_ header: String, _ request: HTTPRequest, from sender: Sender) throws(ServiceError) -> Caller {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw ServiceError(.unauthenticated, "unauthenticated", "Send the token as Authorization: Bearer gate_….")
        }
        let source: Change.Source = request.headers["X-Gatehouse-Source"] == "gatectl" ? .gatectl : .api
        return try access.caller(token: String(parts[1]), source: source, requestId: request.id, address: sender.address.text)
    }

    /// A browser says where a request comes from; a page of another origin must not act in a user's name (ASVS 5.0 section 3.5).
    private func requireOwnOrigin(_ request: HTTPRequest, isSecure: Bool) throws(ServiceError) {
        let refusal = ServiceError(.forbidden, "foreign_origin", "The request comes from a page of another origin.")
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin" { throw refusal }
        guard let given = request.headers["Origin"] else { return }
        let host = request.headers["Host"] ?? ""
        let own = "\(isSecure ? "https" : "http")://\(host)"
        // The set-up link is one at 127.0.0.1, whatever the origin.
        let isHostOwn = origins.isEmpty || OwnHosts.isLoopback(host)
        guard origins.contains(given) || isHostOwn && given == own else { throw refusal }
    }
}

extension Declaration.Access {
    /// The least role that may call the endpoint.
    var role: GateModel.Role {
        switch self {
        case .anyone, .viewer: .viewer
        case .operatorRole: .operator
        case .admin: .admin
        }
    }
}
