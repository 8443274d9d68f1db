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
    private let description: HTTPResponse

    /// - Parameters:
    ///   - origins: the dashboard's addresses as browsers see them; none to go by each request's Host.
    ///   - proxies: who may say on whose behalf a request comes.
    ///   - files: the dashboard, with ``HeaderSet/page``.
    /// - Throws: when the route table contradicts itself, which is a mistake of this program.
    package init(services: Services, files: StaticFiles, table: FeedTable, origins: [String], proxies: TrustedProxies = .none) throws {
        self.services = services
        self.files = files
        self.table = table
        routes = try Routes(services)
        self.proxies = proxies
        authenticator = Authenticator(access: services.access, origins: origins)
        description = .json(APIDescription.document(version: services.version))
    }

    /// The route pattern that a request belongs to, for counts and logs; never its path.
    package func pattern(of request: HTTPRequest) -> String {
        if request.path.hasPrefix("/feeds/") { return "/feeds" }
        guard case .found(let route, _) = routes.router.match(request.method, request.path) else {
            return request.path == "/metrics" || request.path.hasPrefix("/healthz/")
                ? "operations" : files.files[request.path] == nil ? "unknown" : "files"
        }
        return route.endpoint.pattern
    }

    package func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse? {
        // Aliases belong to the feeds listener: here one could stand before the dashboard.
        if path.starts(with: "/feeds/".utf8) { return table.response(at: path) }
        return files.response(at: path)
    }

    /// Who may not send a body is told before it is taken.
    package func refusal(of head: HTTPRequest) -> HTTPResponse? {
        guard case .found(let route, let parameters) = routes.router.match(head.method, head.path) else { return nil }
        do {
            _ = try admit(head, from: sender(of: head), to: route, parameters)
            return mediaRefusal(of: head)
        } catch {
            return problem(error, head, to: route, for: nil)
        }
    }

    /// A document of everything is larger than what any other route takes. Who may not send one is told before it is taken.
    package func maximumBodyBytes(of head: HTTPRequest) -> Int? {
        guard case .found(let route, _) = routes.router.match(head.method, head.path), route.endpoint == .apply else { return nil }
        return JSONReader.Limits.ofExport.bytes
    }

    package func response(to request: HTTPRequest) -> HTTPResponse {
        if request.path.hasPrefix("/feeds/") { return FeedAnswer.answer(request, from: table) ?? FeedAnswer.nothing(at: request.path, in: table) }
        if request.path.hasPrefix("/api/") { return api(request) }
        return page(request)
    }

    package func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse {
        if FeedAnswer.isFeed(target: target) { return FeedAnswer.refusal(refusal) }
        let allow = refusal == .unknownMethod ? "GET, HEAD, POST, PUT, PATCH, DELETE" : nil
        let detail = refusal == .foreignHost ? Self.foreignHost : refusal.detail
        return .problem(status: refusal.status, code: refusal.code, detail: detail, requestId: id, allow: allow)
    }

    private static let foreignHost =
        "This server does not answer for that host. Use localhost or its address, or start it with --origin and the address that browsers use."

    // MARK: API

    private func api(_ request: HTTPRequest) -> HTTPResponse {
        switch routes.router.match(request.method, request.path) {
        case .notFound:
            return .problem(status: 404, code: "not_found", detail: "There is no such address in the API.", requestId: request.id)
        case .methodNotAllowed(let allowed):
            let allow = allowed.map(\.rawValue).joined(separator: ", ")
            return .problem(
                status: 405,
                code: "method_not_allowed",
                detail: "This address takes \(allow).",
                requestId: request.id,
                allow: allow
            )
        case .found(let route, let parameters):
            let sender = sender(of: request)
            do {
                let proof = try admit(request, from: sender, to: route, parameters)
                if let refusal = mediaRefusal(of: request, hasBody: !request.body.isEmpty) { return refusal }
                let exchange = Exchange(
                    request: request,
                    sender: sender,
                    parameters: parameters,
                    caller: proof.caller,
                    session: proof.session
                )
                return handled(exchange, by: route)
            } catch {
                return problem(error, request, to: route, for: nil)
            }
        }
    }

    /// Who asks, when they may call the route at all, and write to the app that its path names. A read of a hidden app is not found instead.
    private func admit(
        _ request: HTTPRequest,
        from sender: Sender,
        to route: AdminRoute,
        _ parameters: RouteParameters
    ) throws(ServiceError) -> Authenticator.Proof {
        var caller: Caller?
        do {
            let proof = try authenticator.authenticate(request, from: sender, for: route.endpoint)
            caller = proof.caller
            try authenticator.authorize(proof, for: route.endpoint)
            if route.endpoint.method != .get, let caller, let app = parameters.values["app"].flatMap(AppKey.init(_:)) {
                try caller.require(route.endpoint.access.role, of: app)
            }
            return proof
        } catch {
            throw counted(error, RequestOrigin(request, from: sender), route.endpoint, by: caller)
        }
    }

    private func handled(_ exchange: Exchange, by route: AdminRoute) -> HTTPResponse {
        do {
            try exchange.refuseUnknownQuery(route.endpoint)
            return try route.handler(exchange)
        } catch {
            return problem(counted(error, exchange.origin, route.endpoint, by: exchange.caller), exchange.request, to: route, for: exchange.caller)
        }
    }

    private func sender(of request: HTTPRequest) -> Sender {
        if proxies.isUndeclared(request) { services.notices.sawForwarding(by: request.peer) }
        return proxies.sender(of: request, isSecure: services.isSecure)
    }

    /// Notes in the audit that somebody was kept out, unless that was done by who knew more about it.
    private func counted(_ error: ServiceError, _ origin: RequestOrigin, _ endpoint: Endpoint, by caller: Caller?) -> ServiceError {
        guard [.unauthenticated, .forbidden, .tooMany].contains(error.code), !error.isCounted else { return error }
        services.access.refused("request.refused", code: error.word, actor: caller?.actor, subject: endpoint.description, from: origin)
        var error = error
        error.isCounted = true
        return error
    }

    /// Bodies are JSON; anything else is what a form on another page could send.
    private func mediaRefusal(of request: HTTPRequest, hasBody: Bool = true) -> HTTPResponse? {
        let needsBody = request.method == .post || request.method == .patch
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

    /// The answer to a request that was refused or failed; of a failure the log is told the cause, here and nowhere else.
    private func problem(_ error: ServiceError, _ request: HTTPRequest, to route: AdminRoute, for caller: Caller?) -> HTTPResponse {
        services.ledger.failures.tell(error, requestId: request.id, endpoint: route.endpoint.description, by: caller)
        return error.response(requestId: request.id) { target in
            TargetBody(target, lastChange: caller.flatMap { services.ledger.lastChange(of: target, for: $0) })
        }
    }

    // MARK: Pages and health

    private func page(_ request: HTTPRequest) -> HTTPResponse {
        let file = files.files[request.path]
        guard request.method == .get || request.method == .head else {
            let known = file != nil || request.path.hasPrefix("/healthz/") || request.path == "/openapi.json"
            guard known else {
                return .problem(status: 404, code: "not_found", detail: "There is nothing at this address.", requestId: request.id)
            }
            return .problem(
                status: 405,
                code: "method_not_allowed",
                detail: "This address takes GET, HEAD.",
                requestId: request.id,
                allow: "GET, HEAD"
            )
        }
        switch request.path {
        case "/openapi.json": return description
        case "/healthz/live": return .text("ok\n", headers: HeaderSet.api)
        case "/metrics":
            return services.metrics.map { metrics in
                HTTPResponse(
                    status: 200,
                    headers: HeaderSet.api + ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
                    body: Array(metrics.page().utf8)
                )
            } ?? .problem(status: 404, code: "not_found", detail: "There is nothing at this address.", requestId: request.id)
        case "/healthz/ready":
            let health = services.ledger.health
            // Degraded is still ready: the feeds go on, and taking the server away would take them away too. Not so where feeds are missing.
            return .json(health.json, status: health.state == .starting || !table.isWhole ? 503 : 200)
        default:
            if let file { return HTTPResponse(prepared: file) }
            return .problem(status: 404, code: "not_found", detail: "There is nothing at this address.", requestId: request.id)
        }
    }
}
