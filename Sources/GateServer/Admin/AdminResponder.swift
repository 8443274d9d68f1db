import GateAPI
package import GateHTTP
import GateModel
import GateService

/// The admin listener: the API, the dashboard's files, health, and the feeds too.
package struct AdminResponder: HTTPResponder {
    private let services: Services
    private let routes: Routes
    private let authenticator: Authenticator
    private let files: StaticFiles
    private let table: FeedTable

    /// - Parameters:
    ///   - origin: the dashboard's address as browsers see it; nil to go by each request's Host.
    ///   - files: the dashboard, with ``HeaderSet/page``.
    /// - Throws: when the route table contradicts itself, which is a mistake of this program.
    package init(services: Services, files: StaticFiles, table: FeedTable, origin: String?) throws {
        self.services = services
        self.files = files
        self.table = table
        routes = try Routes(services)
        authenticator = Authenticator(access: services.access, isSecure: services.isSecure, origin: origin)
    }

    package func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse? {
        // Aliases belong to the feeds listener: here one could stand before the dashboard.
        if path.starts(with: "/feeds/".utf8) { return table.response(at: path) }
        return files.files[path]
    }

    /// Who may not send a body is told before it is taken.
    package func refusal(of head: HTTPRequest) -> HTTPResponse? {
        guard case .found(let route, let parameters) = routes.router.match(head.method, head.path) else { return nil }
        do {
            _ = try admit(head, to: route, parameters)
            return mediaRefusal(of: head)
        } catch {
            return problem(error, head)
        }
    }

    package func response(to request: HTTPRequest) -> HTTPResponse {
        if request.path.hasPrefix("/feeds/") { return FeedAnswer.answer(request, from: table) ?? FeedAnswer.notFound }
        if request.path.hasPrefix("/api/") { return api(request) }
        return page(request)
    }

    package func response(to refusal: EdgeRefusal, id: String) -> HTTPResponse {
        let allow = refusal == .unknownMethod ? "GET, HEAD, POST, PUT, PATCH, DELETE" : nil
        return .problem(status: refusal.status, code: refusal.code, detail: refusal.detail, requestId: id, allow: allow)
    }

    // MARK: API

    private func api(_ request: HTTPRequest) -> HTTPResponse {
        switch routes.router.match(request.method, request.path) {
        case .notFound:
            return .problem(status: 404, code: "not_found", detail: "There is no such address in the API.", requestId: request.id)
        case .methodNotAllowed(let allowed):
            let allow = allowed.map(\.rawValue).joined(separator: ", ")
            return .problem(status: 405, code: "method_not_allowed", detail: "This address takes \(allow).", requestId: request.id, allow: allow)
        case .found(let route, let parameters):
            do {
                let proof = try admit(request, to: route, parameters)
                if let refusal = mediaRefusal(of: request, hasBody: !request.body.isEmpty) { return refusal }
                return try route.handler(Exchange(request: request, parameters: parameters, caller: proof.caller, session: proof.session))
            } catch {
                return problem(error, request)
            }
        }
    }

    /// Who asks, when they may call the route at all, and write to the app that its path names. A read of a hidden app is not found instead.
    private func admit(_ request: HTTPRequest, to route: AdminRoute, _ parameters: RouteParameters) throws(ServiceError) -> Authenticator.Proof {
        let proof = try authenticator.authenticate(request, for: route.endpoint)
        if route.endpoint.method != .get, let caller = proof.caller, let app = parameters.values["app"].flatMap(AppKey.init(_:)) {
            try caller.require(route.endpoint.access.role, of: app)
        }
        return proof
    }

    /// Bodies are JSON; anything else is what a form on another page could send.
    private func mediaRefusal(of request: HTTPRequest, hasBody: Bool = true) -> HTTPResponse? {
        let needsBody = request.method == .post || request.method == .patch
        guard hasBody || needsBody else { return nil }
        let type = request.headers["Content-Type"]?.split(separator: ";").first.map { $0.filter { $0 != " " }.lowercased() }
        guard type != "application/json" else { return nil }
        return .problem(status: 415, code: "unsupported_media_type", detail: "Send the body as Content-Type: application/json.", requestId: request.id)
    }

    private func problem(_ error: ServiceError, _ request: HTTPRequest) -> HTTPResponse {
        error.response(requestId: request.id) { target in TargetBody(target, lastChange: services.changes.lastChange(of: target)) }
    }

    // MARK: Pages and health

    private func page(_ request: HTTPRequest) -> HTTPResponse {
        let file = files.files[request.path]
        guard request.method == .get || request.method == .head else {
            let known = file != nil || request.path.hasPrefix("/healthz/")
            guard known else { return .problem(status: 404, code: "not_found", detail: "There is nothing at this address.", requestId: request.id) }
            return .problem(status: 405, code: "method_not_allowed", detail: "This address takes GET, HEAD.", requestId: request.id, allow: "GET, HEAD")
        }
        switch request.path {
        case "/healthz/live": return .text("ok\n", headers: HeaderSet.api)
        case "/healthz/ready":
            let health = services.changes.health
            // Degraded is still ready: the feeds go on, and taking the server away would take them away too.
            return .json(HealthBody(health).json, status: health.state == .starting ? 503 : 200)
        default:
            if let file { return HTTPResponse(prepared: file) }
            return .problem(status: 404, code: "not_found", detail: "There is nothing at this address.", requestId: request.id)
        }
    }
}
