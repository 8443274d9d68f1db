import GateAPI
package import GateHTTP
import GateJSON
import GateModel
import GateService

/// The admin listener: the API, the dashboard's files, health, and the feeds too.
package struct AdminResponder: HTTPResponder {
    private let services: Services
    private let routes: Routes
    private let authenticator: Authenticator
    private let files: StaticFiles
    private let table: FeedTable
    private let proxies: TrustedProxies

    /// - Parameters:
    ///   - origins: the dashboard's addresses as browsers see them; empty to go by each request's Host.
    ///   - proxies: which peers may say on whose behalf a request comes.
    ///   - files: the dashboard, with ``HeaderSet/page`` and ``HeaderSet/file``.
    /// - Throws: when the route table contradicts itself, which is a mistake of this program.
    package init(services: Services, files: StaticFiles, table: FeedTable, origins: [String], proxies: TrustedProxies = .none) throws {
        self.services = services
        self.files = files
        self.table = table
        routes = try Routes(services, table)
        self.proxies = proxies
        authenticator = Authenticator(access: services.access, origins: origins, proxy: services.proxySignIn.map { ($0, proxies) })
    }

    package func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse? {
        // A feed carries this listener's headers besides its own here, so no ready-made answer is the right one. Aliases belong to the
        // feeds listener: here one could hide the dashboard.
        path.starts(with: "/feeds/".utf8) ? nil : files.response(at: path)
    }

    package func admission(of head: HTTPRequest, hasBody: Bool) -> Admission {
        if head.path.hasPrefix("/feeds/") { return FeedAnswer.look(at: table) }
        return switch routes.router.match(head.method, head.path) {
        case .found(let route, let parameters): admission(of: head, hasBody: hasBody, to: route, parameters)
        case .methodNotAllowed(let allowed): Admission(pattern: "unknown", .admitted { Self.notAllowed(allowed, $0) })
        case .notFound: page(at: head.path)
        }
    }

    package func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse {
        if FeedAnswer.isFeed(target: target) { return FeedAnswer.refusal(refusal).adding(HeaderSet.admin) }
        let allow = refusal == .unknownMethod ? "GET, HEAD, POST, PUT, PATCH, DELETE" : nil
        let detail = refusal == .foreignHost ? Self.foreignHost : refusal.detail
        return .problem(status: refusal.status, code: refusal.code, detail: detail, requestId: id, allow: allow)
    }

    private static let foreignHost =
        "This server does not answer for that host. Use localhost or its address, or start it with --origin and the address that browsers use."

    // MARK: Routes

    private func admission(of head: HTTPRequest, hasBody: Bool, to route: AdminRoute, _ parameters: RouteParameters) -> Admission {
        // A document of everything is larger than any other route's body.
        let limit = route.endpoint == .apply ? JSONReader.Limits.ofExport.bytes : nil
        func decided(_ decision: Admission.Decision) -> Admission { Admission(pattern: route.pattern, maximumBodyBytes: limit, decision) }
        let sender = sender(of: head)
        let proof: Authenticator.Proof
        do {
            proof = try admit(head, from: sender, to: route, parameters)
        } catch {
            var refusal = problem(error, head, to: route, for: nil)
            // Whoever is signed in to the proxy now cannot use that session, and would run into it at every visit.
            if error.word == Authenticator.anotherSession {
                refusal.headers.append("Set-Cookie", SessionCookie.expired(isSecure: sender.isSecure))
            }
            return decided(.refused(refusal))
        }
        if let endpoint = route.endpoint, let refusal = mediaRefusal(of: head, hasBody: hasBody, to: endpoint) {
            return decided(.refused(refusal))
        }
        let proven = services.access.now()
        return decided(
            .admitted { request in
                handled(
                    Exchange(
                        request: request,
                        sender: sender,
                        parameters: parameters,
                        caller: proof.caller,
                        session: proof.session,
                        named: proof.named
                    ),
                    by: route,
                    since: proven
                )
            }
        )
    }

    /// Who asks, provided that they may call the route at all and may write to the app that its path names. Reading a hidden app is
    /// answered "not found" instead.
    private func admit(
        _ request: HTTPRequest,
        from sender: Sender,
        to route: AdminRoute,
        _ parameters: RouteParameters
    ) throws(ServiceError) -> Authenticator.Proof {
        guard let endpoint = route.endpoint else { return .nobody }
        var caller: Caller?
        do {
            let proof = try authenticator.authenticate(request, from: sender, for: endpoint)
            caller = proof.caller
            try authenticator.authorize(proof, for: endpoint)
            if endpoint.method != .get, let caller, let app = parameters.values["app"].flatMap(AppKey.init(_:)) {
                try caller.require(endpoint.access.role, of: app)
            }
            return proof
        } catch {
            throw counted(error, RequestOrigin(request, from: sender), route, by: caller)
        }
    }

    /// - Parameter proven: when it was checked who asks.
    private func handled(_ exchange: Exchange, by route: AdminRoute, since proven: Timestamp) -> HTTPResponse {
        do {
            if let caller = exchange.caller { try services.access.requireStanding(caller, since: proven) }
            if let endpoint = route.endpoint { try exchange.refuseUnclearQuery(endpoint) }
            guard let caller = exchange.caller, let endpoint = route.endpoint,
                let work = ComputingShare.Work(endpoint, size: exchange.request.body.count)
            else { return try route.handler(exchange) }
            return try services.computing.answer(work, for: caller.actor, unless: exchange.writing.isDone) { () throws(ServiceError) in
                try route.handler(exchange)
            }
        } catch {
            return problem(counted(error, exchange.origin, route, by: exchange.caller), exchange.request, to: route, for: exchange.caller)
        }
    }

    private func sender(of request: HTTPRequest) -> Sender {
        if proxies.isUndeclared(request) { services.notices.sawForwarding(by: request.peer) }
        return proxies.sender(of: request, isSecure: services.isSecure)
    }

    /// Notes in the audit that somebody was kept out, unless code that knew more about it has done so already.
    private func counted(_ error: ServiceError, _ origin: RequestOrigin, _ route: AdminRoute, by caller: Caller?) -> ServiceError {
        guard [.unauthenticated, .forbidden, .tooMany].contains(error.code), !error.isCounted else { return error }
        return services.access.counted(error, of: "request.refused", actor: caller?.actor, subject: route.name, from: origin)
    }

    /// Bodies are JSON; a form on another page could send anything else.
    private func mediaRefusal(of request: HTTPRequest, hasBody: Bool, to endpoint: Endpoint) -> HTTPResponse? {
        let needsBody = endpoint.method == .post || endpoint.method == .patch
        guard hasBody || needsBody else { return nil }
        let type = request.headers["Content-Type"]?.split(separator: ";").first.map { $0.filter { $0 != " " }.lowercased() }
        guard type != "application/json" else { return nil }
        return .problem(
            status: 415,
            code: "unsupported_media_type",
            detail: "Send the body as Content-Type: application/json.",
            requestId: request.id
        )
    }

    /// The answer to a request that was refused or failed. The cause of a failure is logged here and nowhere else.
    private func problem(_ error: ServiceError, _ request: HTTPRequest, to route: AdminRoute, for caller: Caller?) -> HTTPResponse {
        services.ledger.failures.tell(error, requestId: request.id, endpoint: route.name, by: caller)
        return error.response(requestId: request.id) { target in
            TargetBody(target, lastChange: caller.flatMap { services.ledger.lastChange(of: target, for: $0) })
        }
    }

    private static func notAllowed(_ allowed: [HTTPMethod], _ request: HTTPRequest) -> HTTPResponse {
        let allow = allowed.map(\.rawValue).joined(separator: ", ")
        return .problem(
            status: 405,
            code: "method_not_allowed",
            detail: "This address takes \(allow).",
            requestId: request.id,
            allow: allow
        )
    }

    // MARK: Pages

    private func page(at path: String) -> Admission {
        guard let file = files.files[path] else {
            let place = path.hasPrefix("/api/") ? "There is no such address in the API." : "There is nothing at this address."
            return Admission(pattern: "unknown", .admitted { .problem(status: 404, code: "not_found", detail: place, requestId: $0.id) })
        }
        return Admission(
            pattern: "files",
            .admitted { request in
                request.method == .get || request.method == .head ? HTTPResponse(prepared: file) : Self.notAllowed([.get, .head], request)
            }
        )
    }
}
