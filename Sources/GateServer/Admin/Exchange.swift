import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import Synchronization

/// Whether a request wrote something: a dry run, a refusal and a change that alters nothing do not. Thread-safe.
final class Writing: Sendable {
    private let done = Mutex(false)

    var isDone: Bool { done.withLock(\.self) }

    func note(_ isDone: Bool) { if isDone { done.withLock { $0 = true } } }
}

/// One request of the admin API on its way through a handler: what was asked, by whom, and how to read it.
struct Exchange: Sendable {
    let request: HTTPRequest
    let sender: Sender
    let parameters: RouteParameters
    /// Nil on the routes that anyone may call.
    let caller: Caller?
    /// The session that the caller's cookie named; nil for tokens.
    let session: SignedIn?
    /// Whom a trusted proxy names.
    var named: ProxiedPerson?
    /// Whether the request wrote something, which its handler notes as soon as it knows what it will answer.
    let writing = Writing()

    /// The caller, on every route that is not open to anyone; the route table makes sure that there is one.
    func requireCaller() throws(ServiceError) -> Caller {
        guard let caller else { throw ServiceError(.unauthenticated, "unauthenticated", "Sign in, or send a token.") }
        return caller
    }

    /// The body as JSON; an empty body is an empty object where the route does not need one.
    /// - Parameter limits: those of the API's bodies, except for routes whose bodies may hold more.
    func body<Body: APIBody>(
        _: Body.Type,
        emptyAllowed: Bool = false,
        limits: JSONReader.Limits = JSONReader.Limits()
    ) throws(ServiceError) -> Body {
        if emptyAllowed, request.body.isEmpty { return try decode(Body.self, [:]) }
        let json: JSONValue
        do {
            json = try JSONReader.read(request.body, limits: limits)
        } catch {
            throw ServiceError(.malformed, "malformed", "The body is not the expected JSON: \(error).", field: "")
        }
        return try decode(Body.self, json)
    }

    /// Like ``body(_:emptyAllowed:)``, for bodies about some thing: if the thing is missing, that is reported before a refused value is.
    func body<Body: APIBody, Thing>(
        _: Body.Type,
        emptyAllowed: Bool = false,
        about thing: () throws(ServiceError) -> Thing
    ) throws(ServiceError) -> Body {
        do {
            return try body(Body.self, emptyAllowed: emptyAllowed)
        } catch {
            if error.code == .invalid { _ = try thing() }
            throw error
        }
    }

    private func decode<Body: APIBody>(_: Body.Type, _ json: JSONValue) throws(ServiceError) -> Body {
        do { return try Body(json: json) } catch { throw ServiceError(error) }
    }

    /// - Throws: `notFound` for text that is not a key, since there is no such app.
    func app(_ text: String) throws(ServiceError) -> AppKey {
        guard let key = AppKey(text) else { throw ServiceError(.notFound, "app_not_found", "There is no app of that name.") }
        return key
    }

    func platform(_ text: String, of app: AppKey) throws(ServiceError) -> PlatformKey {
        guard let key = PlatformKey(text) else {
            throw ServiceError(.notFound, "target_not_found", "The app \(app) has no platform of that name.")
        }
        return key
    }

    func target(_ app: String, _ platform: String) throws(ServiceError) -> TargetKey {
        let app = try self.app(app)
        return TargetKey(app: app, platform: try self.platform(platform, of: app))
    }

    /// The caller's Idempotency-Key together with the request it stands for.
    /// - Throws: malformed when it is given twice, because the sender and a proxy could then mean different ones, or when it is not 1 to
    ///   255 printable ASCII characters.
    func idempotency() throws(ServiceError) -> IdempotencyKey? {
        let given = request.headers.values(of: IdempotencyKeyHeader.name)
        guard let key = given.first else { return nil }
        guard given.count == 1 else {
            let detail = "The header Idempotency-Key is given more than once, and only one value of it can count. Leave all but one out."
            throw ServiceError(.malformed, "malformed", detail)
        }
        guard IdempotencyKeyHeader.isKey(key) else {
            throw ServiceError(.malformed, "malformed", "Idempotency-Key is 1 to 255 printable ASCII characters.")
        }
        return IdempotencyKey(key: key, request: Array("\(request.method) \(request.path)\n".utf8) + request.body)
    }

    // MARK: Query

    /// The app that a list is filtered by; nil where none is named.
    /// - Throws: `notFound`, also for an app that the caller may not see.
    func wantedApp(for caller: Caller) throws(ServiceError) -> AppKey? {
        guard let text = request.parameter("app") else { return nil }
        let app = try self.app(text)
        guard caller.sees(app) else { throw ServiceError(.notFound, "app_not_found", "There is no app \(app).") }
        return app
    }

    /// A whole number from the query.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(ServiceError) -> Int? {
        guard let text = request.parameter(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw ServiceError(
                .malformed,
                "malformed",
                "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound).",
                field: name
            )
        }
        return value
    }

    func time(_ name: String) throws(ServiceError) -> Timestamp? {
        guard let text = request.parameter(name) else { return nil }
        do throws(TimeFault) { return try Timestamp(entering: text) } catch {
            let detail = error == .years ? TimeFault.outside(name) : "\(name) is an RFC 3339 time such as 2026-04-02T09:32:14Z."
            throw ServiceError(.malformed, "malformed", detail, field: name)
        }
    }

    /// Refuses query parameters that the endpoint does not know, and those given twice: with a filter silently dropped the answer is to a
    /// different question, and with a `dryRun` dropped the change is made.
    func refuseUnclearQuery(_ endpoint: Endpoint) throws(ServiceError) {
        // An endpoint that reads one thing gives the same answer, whatever parameters a proxy or a browser adds.
        guard request.method != .get || !endpoint.queryNames.isEmpty else { return }
        // A pair that could not be read, or was one too many, is in the query no more.
        guard request.rawQuery.split(separator: UInt8(ascii: "&")).count <= request.query.count else {
            throw ServiceError(
                .malformed,
                "malformed",
                "The query cannot be read: it has more than \(HTTPRequest.maximumParameters) pairs, or one without a name, with a bad escape or with bytes that are not UTF-8."
            )
        }
        for item in request.query where !endpoint.queryNames.contains(item.name) {
            let name = JSONValue.quoted(item.name, most: 40)
            let remedy = endpoint.queryNames.isEmpty ? " This address takes its input in the body." : ""
            throw ServiceError(.malformed, "malformed", "There is no query parameter \(name) here.\(remedy)", field: item.name)
        }
        var seen: Set<String> = []
        for item in request.query where !seen.insert(item.name).inserted {
            let detail =
                "The query parameter \(item.name) is given more than once, and only one value of it can count. Leave all but one out."
            throw ServiceError(.malformed, "malformed", detail, field: item.name)
        }
    }
}
