import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    /// Also says in a header whether this browser is signed in. If the page asked `GET /session` for that, a browser that is not signed in
    /// would log a 401 in its console at every visit of the sign-in page, and a real fault beside it would be overlooked. The value `proxy`
    /// means: not yet, and `GET /session` will sign it in.
    func setupState(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        // Even somebody who is refused here may want to sign in at the proxy as somebody else.
        let signOut = exchange.named == nil ? nil : proxySignIn?.signOutURL
        var response = HTTPResponse.json(SetupStateBody(needed: try access.needsSetup(), signOut: signOut).json)
        var session: SignedIn?
        if let secret = exchange.sessionSecret { session = try access.session(secret, requestId: exchange.request.id) }
        let isSignedIn = session.map { exchange.named?.owns($0) ?? ($0.origin == nil) } ?? false
        response.headers.set("X-Gatehouse-Session", isSignedIn ? "present" : exchange.named == nil ? "absent" : "proxy")
        return response
    }

    func setUp(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(SetupRequest.self)
        let user = try access.setUp(code: body.code, username: body.username, password: body.password, from: exchange.origin)
        return .json(["user": user.json], status: 201)
    }

    func signIn(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(SessionRequest.self)
        let session = try access.signIn(
            username: body.username,
            password: body.password,
            totp: body.totp,
            replacing: exchange.sessionSecret,
            from: exchange.origin
        )
        return response(session, exchange)
    }

    func acceptInvitation(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(InvitationRequest.self)
        let session = try access.acceptInvitation(
            body.invitation,
            password: body.password,
            totp: body.totp,
            replacing: exchange.sessionSecret,
            from: exchange.origin
        )
        return response(session, exchange)
    }

    func reauthenticate(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(ReauthenticationRequest.self)
        let session = try exchange.requireSession()
        return response(try access.reauthenticate(session, password: body.password, totp: body.totp, from: exchange.origin), exchange)
    }

    /// A new session in a browser: what it may know is in the body, the secret only in the cookie. That cookie comes first, because gatectl
    /// takes the first.
    func response(_ session: NewSession, _ exchange: Exchange) -> HTTPResponse {
        var response = HTTPResponse.json(body(of: session.signedIn).json)
        response.headers.append("Set-Cookie", SessionCookie.set(session.secret, isSecure: exchange.sender.isSecure))
        if let device = session.device {
            response.headers.append("Set-Cookie", DeviceCookie.set(device, isSecure: exchange.sender.isSecure))
        }
        return response
    }

    func session(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        if let session = exchange.session { return .json(body(of: session).json) }
        if let named = exchange.named {
            return response(try access.signIn(named, replacing: exchange.sessionSecret, from: exchange.origin), exchange)
        }
        let caller = try exchange.requireCaller()
        let user = User(name: caller.actor.name, role: caller.role, scope: caller.scope)
        return .json(SessionBody(user: user, csrf: "", expiresAt: caller.token?.expiresAt).json)
    }

    private func body(of session: SignedIn) -> SessionBody {
        SessionBody(
            user: session.user,
            csrf: session.csrf,
            expiresAt: session.expiresAt,
            origin: session.origin,
            signOut: session.origin == .proxy ? proxySignIn?.signOutURL : nil
        )
    }

    func signOut(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        if let session = exchange.session { try access.signOut(session, from: exchange.origin) }
        var headers = HeaderSet.api
        headers.append("Set-Cookie", SessionCookie.expired(isSecure: exchange.sender.isSecure))
        return HTTPResponse(status: 204, headers: headers)
    }
}

extension Exchange {
    /// Where the request came from, for throttles and the audit.
    var origin: RequestOrigin { RequestOrigin(request, from: sender) }

    /// The secret in the browser's cookie, for routes that anyone may call, where nothing has read the cookie yet.
    fileprivate var sessionSecret: String? { request.headers["Cookie"].flatMap { SessionCookie.secret(in: $0, isSecure: sender.isSecure) } }

    /// The session, on every route that accepts nothing else; the route table makes sure that there is one.
    func requireSession() throws(ServiceError) -> SignedIn {
        guard let session else { throw ServiceError(.forbidden, "session_required", "Sign in with name and password.") }
        return session
    }
}

extension RequestOrigin {
    init(_ request: HTTPRequest, from sender: Sender) {
        self.init(
            address: sender.address.text,
            isLoopback: sender.isLoopback,
            userAgent: request.headers["User-Agent"],
            requestId: request.id,
            device: request.headers["Cookie"].flatMap { DeviceCookie.text(in: $0, isSecure: sender.isSecure) }
        )
    }
}
