import GateAPI
import GateHTTP
import GateModel
import GateService

/// Decides who a request is from, and whether a browser meant to send it.
struct Authenticator: Sendable {
    let access: AccessService
    /// The dashboard's addresses as browsers see them, such as `https://gate.example.com`; empty to compare with the request's own Host.
    let origins: [String]
    /// The peers that may name the person, and how they do it; nil where none may.
    var proxy: (signIn: ProxySignIn, peers: TrustedProxies)?

    struct Proof: Sendable {
        let caller: Caller?
        let session: SignedIn?
        /// Whom a trusted proxy names.
        var named: ProxiedPerson?

        /// For routes where nobody is asked who they are.
        static let nobody = Proof(caller: nil, session: nil)
    }

    /// Who asks; whether they may is up to ``authorize(_:for:)``.
    /// - Throws: `unauthenticated`, `sign_in_header`; `forbidden` for what another page sent, `another_session`, `signed_in_by_proxy`;
    ///   malformed for two proofs at once.
    func authenticate(_ request: HTTPRequest, from sender: Sender, for endpoint: Endpoint) throws(ServiceError) -> Proof {
        if endpoint.access == .anyone { return try anyone(request, from: sender, for: endpoint) }
        let bearers = request.headers.values(of: "Authorization")
        let cookie = request.headers["Cookie"].flatMap { SessionCookie.secret(in: $0, isSecure: sender.isSecure) }
        guard bearers.count + (cookie == nil ? 0 : 1) <= 1 else {
            throw ServiceError(.malformed, "two_credentials", "Send a token or a session cookie, not both.")
        }
        let named = try named(in: request)
        guard let bearer = bearers.first else { return try browser(request, cookie, named, from: sender, for: endpoint) }
        if let named {
            throw ServiceError(
                .malformed,
                "two_credentials",
                "The proxy signs \(named.name) in, but the request also has an Authorization header. Let the proxy name nobody in requests with a token of Gatehouse, and remove any Authorization header of its own."
            )
        }
        return Proof(caller: try token(bearer, request, from: sender), session: nil)
    }

    /// The same where nobody has to say who they are.
    private func anyone(_ request: HTTPRequest, from sender: Sender, for endpoint: Endpoint) throws(ServiceError) -> Proof {
        let changesState = endpoint.method != .get
        if changesState { try requireOwnOrigin(request, isSecure: sender.isSecure) }
        if let named = try named(in: request) {
            // A session begun this way would be refused at the very next request, because the proxy names somebody beside it.
            guard !changesState else { throw Self.signedInByProxy(named.name) }
            return Proof(caller: nil, session: nil, named: named)
        }
        // A proxy that signs people in lets requests with a token pass: nobody may bring a false one to try passwords past it.
        guard proxy == nil || !changesState || request.headers.values(of: "Authorization").isEmpty else {
            throw ServiceError(
                .malformed,
                "two_credentials",
                "What lets somebody in here is in the body: send no Authorization header, and let no proxy add one."
            )
        }
        return .nobody
    }

    /// The same for a request without a token.
    private func browser(
        _ request: HTTPRequest,
        _ cookie: String?,
        _ named: ProxiedPerson?,
        from sender: Sender,
        for endpoint: Endpoint
    ) throws(ServiceError) -> Proof {
        let changesState = endpoint.method != .get
        guard let cookie, let session = try access.session(cookie, requestId: request.id) else {
            if let named, endpoint == .session {
                // This begins a session, so another site's page must not be able to trigger it over and over.
                try requireOwnOrigin(request, isSecure: sender.isSecure)
                return Proof(caller: nil, session: nil, named: named)
            }
            let refusal = ServiceError(.unauthenticated, "unauthenticated", "Sign in, or send a token in Authorization: Bearer.")
            // A browser without a cookie that only asks whether it is signed in is not trying to get in.
            throw cookie == nil && !changesState ? refusal.counted : refusal
        }
        try requireAgreement(session, named)
        if changesState {
            try requireOwnOrigin(request, isSecure: sender.isSecure)
            guard let given = request.headers["X-Gatehouse-CSRF"], access.matches(given, session) else {
                throw ServiceError(.forbidden, "csrf", "The request does not carry this session's CSRF token; reload the page.")
            }
        }
        var current = session
        if let named { current = try access.follow(session, named, from: RequestOrigin(request, from: sender)) }
        let caller = current.caller(source: .dashboard, requestId: request.id, address: sender.address.text)
        return Proof(caller: caller, session: current, named: named)
    }

    /// Whom a trusted proxy names with a request.
    private func named(in request: HTTPRequest) throws(ServiceError) -> ProxiedPerson? {
        guard let proxy else { return nil }
        return try proxy.signIn.person(in: request, by: proxy.peers)
    }

    /// The code of a refusal after which a browser should drop its cookie.
    static let anotherSession = "another_session"

    /// A session and a name that a proxy sends must belong to one person, and a session that began with such a name is not valid without
    /// it: ending the sign-in at the proxy ends it here too.
    private func requireAgreement(_ session: SignedIn, _ named: ProxiedPerson?) throws(ServiceError) {
        guard let named else {
            guard session.origin == .proxy else { return }
            throw ServiceError(
                .unauthenticated,
                "unauthenticated",
                "This session is valid only while the proxy in front says who you are, and it did not say so with this request; sign in there again."
            )
        }
        guard named.owns(session) else {
            throw ServiceError(
                .forbidden,
                Self.anotherSession,
                "The proxy says that you are \(named.name), but the session belongs to somebody else, so it is dropped. Load the page again."
            )
        }
    }

    private static func signedInByProxy(_ name: String) -> ServiceError {
        ServiceError(
            .forbidden,
            "signed_in_by_proxy",
            "The proxy in front signs you in as \(name), so no password is accepted through it. To use a password, sign in past the proxy, at the server's own address."
        )
    }

    /// Whether the caller may call the endpoint at all. The only place that reads an endpoint's ``Endpoint/access`` and ``Endpoint/proof``.
    /// - Throws: `forbidden`, `session_required`, `fresh_sign_in_required` (403).
    func authorize(_ proof: Proof, for endpoint: Endpoint) throws(ServiceError) {
        guard endpoint.access != .anyone else { return }
        // Somebody whom a proxy names and who has no session yet gets one here.
        if endpoint == .session, proof.named != nil, proof.caller == nil { return }
        guard let caller = proof.caller else { throw ServiceError(.unauthenticated, "unauthenticated", "Sign in, or send a token.") }
        try caller.require(endpoint.access.role)
        switch (endpoint.proof, proof.session) {
        case (.any, _), (.session, _?), (.fresh, nil): return
        case (.session, nil), (.freshSession, nil):
            throw ServiceError(
                .forbidden,
                "session_required",
                "This concerns a person's own account: sign in with name and password; a token is not enough."
            )
        case (.fresh, let session?), (.freshSession, let session?):
            guard !access.isFresh(session, seconds: Endpoint.freshSeconds) else { return }
            // Only the next step towards doing it, not a denial.
            throw ServiceError(
                .forbidden,
                "fresh_sign_in_required",
                session.origin == .proxy
                    ? "Sign out and in again: this needs a sign-in of the last five minutes."
                    : "Give your password again: this needs a sign-in of the last five minutes."
            ).counted
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
        // The set-up link is at 127.0.0.1, whatever the origin; and whether the origin is https says nothing about the way past the proxy.
        let isOwn =
            OwnHosts.isLoopback(host)
            ? given == "http://\(host)" || given == "https://\(host)"
            : origins.isEmpty && given == "\(isSecure ? "https" : "http")://\(host)"
        guard isOwn || origins.contains(given) else { throw refusal }
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
