import CurlHTTP
import GateAPI
import GateJSON
import GateModel

/// A client of one server's admin API.
///
/// Reads are repeated up to three times. Writes carry an Idempotency-Key, the same at every repetition, and are repeated when the server
/// says that it did nothing (429, 503). When no answer came, or a proxy's 503 that says nothing of what the server did, only writes whose
/// keys the server keeps are repeated (``Endpoint/keepsKeys``): it carries them out once even if they arrive twice. The others are not,
/// because a second invitation, for example, would be made. All attempts of one call share its timeout.
package struct AdminClient: Sendable {
    package let server: ServerAddress
    private let token: BearerToken?
    private let timeout: Duration
    private let source: String
    private let idempotencyKey: @Sendable () -> String
    let observer: @Sendable (Event) -> Void
    private let transport: HTTPTransport

    /// What happens while a call waits; for verbose output and for telling an interrupted user whether the request had left.
    package enum Event: Sendable, CustomStringConvertible {
        case sending(request: String, isWrite: Bool)
        case answered(request: String, status: Int, after: Duration)
        case repeating(request: String, because: String, after: Duration)
        /// The server said which version it is.
        case met(version: String)

        package var description: String {
            switch self {
            case .sending(let request, _): "\(request) ..."
            case .answered(let request, let status, let time): "\(request) -> \(status) in \(time.milliseconds) ms"
            case .repeating(let request, let why, let pause): "\(request): \(why); again in \(pause.milliseconds) ms"
            case .met(let version): "the server is Gatehouse \(version)"
            }
        }
    }

    /// - Parameters:
    ///   - token: nil to ask anonymously.
    ///   - timeout: for one call with all its repetitions.
    ///   - caFile: a PEM file with the authorities whose certificates are trusted, in place of the system's; nil for those.
    ///   - waitsInPlace: calls block the caller's thread; see `HTTPTransport`.
    ///   - source: what the history shows as the change's source: `gatectl` or `api`.
    ///   - idempotencyKey: makes a key for each write; random in production, fixed in tests.
    package init(
        server: ServerAddress,
        token: BearerToken?,
        timeout: Duration = .seconds(10),
        caFile: String? = nil,
        waitsInPlace: Bool = false,
        source: String = "gatectl",
        idempotencyKey: @escaping @Sendable () -> String = AdminClient.randomKey,
        observer: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.server = server
        self.token = token
        self.timeout = timeout
        self.source = source
        self.idempotencyKey = idempotencyKey
        self.observer = observer
        transport = HTTPTransport(caFile: caFile, waitsInPlace: waitsInPlace)
    }

    /// 128 random bits as hexadecimal digits.
    package static let randomKey: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in String(UInt8.random(in: 0...15, using: &generator), radix: 16) }.joined()
    }

    /// Calls an endpoint whose answer is a document.
    func call<Answer: APIBody>(
        _ endpoint: Endpoint,
        _ values: [String] = [],
        query: [(name: String, value: String?)] = [],
        body: (any APIBody)? = nil,
        as answer: Answer.Type
    ) async throws(AdminClientError) -> Answer {
        let path = try Self.path(endpoint, values, query: query)
        let request = "\(endpoint.method.rawValue) \(path)"
        // A dry run is a question, and so is a simulation, which is posted because a draft does not fit into an address: whatever becomes
        // of them, nothing was changed.
        let mayChange = endpoint.method != .get && endpoint != .simulate && (body as? any WriteRequest)?.terms.dryRun != true
        let (raw, mayHaveArrived) = try await exchange(
            endpoint.method,
            path,
            body: body?.json.bytes,
            mayChange: mayChange,
            keepsKey: endpoint.keepsKeys
        )
        return try read(raw, mayChange: mayChange, request, mayHaveArrived, as: answer)
    }

    /// The address of an endpoint for these names.
    /// - Throws: not found (404) for an empty name, which no address can carry, so nothing is called that. Not `not_found`: that is the
    ///   server's word for an address that it does not have.
    static func path(
        _ endpoint: Endpoint,
        _ values: [String],
        query: [(name: String, value: String?)] = []
    ) throws(AdminClientError) -> String {
        guard !values.contains("") else {
            let problem = ProblemBody(
                title: "Not Found",
                status: 404,
                code: "name_not_found",
                detail: "An empty name was given, and nothing is called that.",
                requestId: ""
            )
            throw AdminClientError(.problem, endpoint.description, problem.detail, problem: problem, status: problem.status)
        }
        return endpoint.path(values, query: query)
    }

    /// The document of an answer.
    /// - Parameter mayChange: whether the request could have changed anything.
    func read<Answer: APIBody>(
        _ raw: HTTPTransport.Answer,
        mayChange: Bool,
        _ request: String,
        _ mayHaveArrived: Bool,
        as answer: Answer.Type
    ) throws(AdminClientError) -> Answer {
        guard (200...299).contains(raw.status) else {
            let isOpen = mayHaveArrived && mayChange && Self.leavesOpen(raw)
            let refusal = refusal(request, raw, outcomeUnknown: isOpen, mayChange: mayChange)
            // What is asked for here are addresses that the API has.
            if refusal.problem?.code == "not_found", let root = server.withoutPath { throw wrongPath(request, instead: root) }
            throw refusal
        }
        do {
            return try Answer(json: JSONReader.read(raw.body, limits: .own))
        } catch {
            throw AdminClientError(
                .badAnswer,
                request,
                "the answer is not one of this API: \(error)",
                outcomeUnknown: mayChange,
                status: raw.status
            )
        }
    }

    /// Gets any path of the server and returns the answer's bytes as they are; a refusal is an answer like any other.
    package func raw(_ path: String) async throws(AdminClientError) -> RawAnswer {
        let (answer, _) = try await exchange(.get, path, body: nil, mayChange: false)
        return RawAnswer(status: answer.status, headers: answer.headers, body: answer.body)
    }

    // MARK: Sending

    private static let repetitions = 3

    /// Too many requests, or not now: the server says that it did nothing.
    private static func isTemporary(_ status: Int) -> Bool { status == 429 || status == 503 }

    /// Whether a refusal says nothing about an earlier attempt that was not answered. The server answers a request that it has carried out
    /// with what it answered then, but not one with a token that has ended since, nor when it fails; and a proxy knows nothing of that.
    static func leavesOpen(_ answer: HTTPTransport.Answer) -> Bool {
        isTemporary(answer.status) || [401, 403].contains(answer.status) || answer.status >= 500 || problem(in: answer) == nil
    }

    /// - Parameters:
    ///   - proof: headers with a secret in them, empty if the secret is in the body; nil if there is none. With a secret or a token, the
    ///     address must be confidential.
    ///   - mayChange: whether the outcome matters when no answer comes.
    ///   - keepsKey: whether the server carries out the request only once, however often it arrives.
    func exchange(
        _ method: Declaration.Method,
        _ path: String,
        body: [UInt8]?,
        proof: [String: String]? = nil,
        mayChange: Bool = true,
        keepsKey: Bool = false
    ) async throws(AdminClientError) -> (HTTPTransport.Answer, mayHaveArrived: Bool) {
        let name = "\(method.rawValue) \(path)"
        guard (token == nil && proof == nil) || server.isConfidential else {
            throw AdminClientError(
                .tokenWithheld,
                name,
                "\(server) is plain http on another machine; the secret would cross the network unencrypted"
            )
        }
        let request = self.request(method, path, body: body, proof: proof ?? [:], isAlone: mayChange)
        let clock = ContinuousClock()
        let start = clock.now
        var mayHaveArrived = false
        var attempt = 0
        while true {
            // Nobody waits for the answer any more: another call of the same command has failed.
            if Task.isCancelled {
                throw AdminClientError(.unreachable, name, "not asked any more", outcomeUnknown: mayChange && mayHaveArrived)
            }
            attempt += 1
            let left = timeout - (clock.now - start)
            observer(.sending(request: name, isWrite: mayChange))
            let sent = clock.now
            let why: String
            var pause = Duration.milliseconds(100 << attempt)
            var failure: AdminClientError?
            var isLasting = false
            var answer: HTTPTransport.Answer?
            do {
                let received = try await transport.perform(request, within: left)
                observer(.answered(request: name, status: received.status, after: clock.now - sent))
                guard Self.isTemporary(received.status) else { return (received, mayHaveArrived) }
                // A proxy answers 503 also where it passed the request on and lost the server's answer.
                let mayBeDone = mayChange && received.status == 503 && (Self.problem(in: received)?.code ?? "").isEmpty
                if mayBeDone, !keepsKey { return (received, true) }
                mayHaveArrived = mayHaveArrived || mayBeDone
                answer = received
                why = "status \(received.status)"
                if let seconds = received.header("retry-after").flatMap(Int.init), seconds >= 0 { pause = .seconds(seconds) }
            } catch {
                mayHaveArrived = mayHaveArrived || error.mayHaveArrived
                failure = noAnswer(name, error, mayChange: mayChange, mayHaveArrived: mayHaveArrived)
                why = error.detail
                isLasting = error.isLasting || mayHaveArrived && mayChange && !keepsKey
            }
            if attempt <= Self.repetitions, !isLasting, clock.now + pause < start + timeout {
                observer(.repeating(request: name, because: why, after: pause))
                // The error is safe to lose: only a cancelled task wakes early.
                try? await Task.sleep(for: pause)
                continue
            }
            if let failure { throw failure }
            if let answer { return (answer, mayHaveArrived) }
        }
    }

    private func request(_ method: Declaration.Method, _ path: String, body: [UInt8]?, proof: [String: String], isAlone: Bool)
        -> HTTPTransport.Request
    {
        var headers = [(name: "Accept", value: "application/json"), (name: "User-Agent", value: "gatectl")]
        if let token { headers.append(("Authorization", "Bearer " + token.secret)) }
        for (name, value) in proof { headers.append((name, value)) }
        if method != .get {
            headers.append(("Content-Type", "application/json"))
            headers.append((IdempotencyKeyHeader.name, idempotencyKey()))
            headers.append(("X-Gatehouse-Source", source))
        }
        return HTTPTransport.Request(
            method: method.rawValue,
            url: server.text + path,
            headers: headers,
            body: method == .get ? nil : body ?? Array("{}".utf8),
            isAlone: isAlone
        )
    }

    // MARK: Errors

    private func noAnswer(_ request: String, _ error: TransportError, mayChange: Bool, mayHaveArrived: Bool) -> AdminClientError {
        let (code, detail) = words(error, mayHaveArrived: mayHaveArrived)
        return AdminClientError(code, request, detail, underlying: error, outcomeUnknown: mayChange && mayHaveArrived)
    }

    /// - Parameter mayHaveArrived: in this attempt or one before it.
    private func words(_ error: TransportError, mayHaveArrived: Bool) -> (AdminClientError.Code, String) {
        switch error.code {
        case .tooLong: (.badAnswer, "\(server) answered with more than \(transport.maximumAnswerBytes >> 20) MiB")
        case .certificateUnknown:
            (.unreachable, "no trusted TLS connection to \(server): no authority that is trusted here has signed its certificate")
        case .certificateExpired: (.unreachable, "no trusted TLS connection to \(server): its certificate is not valid today")
        case .certificateOfAnotherHost: (.unreachable, "no trusted TLS connection to \(server): its certificate is for another name")
        case .certificateRefused: (.unreachable, "no trusted TLS connection to \(server): \(error.detail)")
        case .handshakeFailed: (.unreachable, "no TLS connection to \(server): \(error.detail)")
        case .notTLS: (.unreachable, "no TLS connection to \(server): what answers there does not speak TLS")
        case .notHTTP: (.unreachable, "no connection to \(server): what answers there does not speak HTTP")
        case .proxy: (.unreachable, "no connection to \(server) through the proxy that the environment names: \(error.detail)")
        case .trustFile: (.unreachable, "no TLS connection to \(server): the authorities to trust cannot be read (\(error.detail))")
        case .timedOut where mayHaveArrived: (.noAnswer, "no answer from \(server) in \(timeout.inWords)")
        case .timedOut: (.unreachable, "no connection to \(server) in \(timeout.inWords)")
        case .unknownHost where !mayHaveArrived: (.unreachable, "no connection to \(server): there is no host of that name")
        case .refused where !mayHaveArrived: (.unreachable, "no connection to \(server): nothing listens there")
        case .unreachable where !mayHaveArrived: (.unreachable, "no connection to \(server): there is no route to it")
        case .lost where !mayHaveArrived, .hungUp where !mayHaveArrived: (.unreachable, "no connection to \(server): \(error.detail)")
        case .unknownHost, .refused, .unreachable, .lost, .hungUp: (.noAnswer, "the connection to \(server) was lost before an answer came")
        }
    }

    /// It has no status: what was asked for is not missing.
    private func wrongPath(_ request: String, instead root: ServerAddress) -> AdminClientError {
        let path = server.text.dropFirst(root.text.count)
        return AdminClientError(
            .wrongPath,
            request,
            "the server's address \(server) has the path \(path), and no API is below it. Is it \(root)?"
        )
    }

    /// What the body says about a refusal; nil where it is no problem document. The server's own always has a code; a proxy's may not.
    private static func problem(in answer: HTTPTransport.Answer) -> ProblemBody? {
        (try? JSONReader.read(answer.body, limits: .own)).flatMap { try? ProblemBody(json: $0) }
    }

    /// What a server or a proxy says, without the token, which some show with the request that they refuse.
    private func withoutToken(_ text: String) -> String { token.map { text.replacing($0.secret, with: "gate_…") } ?? text }

    func refusal(_ request: String, _ answer: HTTPTransport.Answer, outcomeUnknown: Bool, mayChange: Bool) -> AdminClientError {
        guard let problem = Self.problem(in: answer) else {
            // The body is not ours: a proxy's page, perhaps. The status still says what happened.
            let proxy = answer.status >= 500 || (300...399).contains(answer.status)
            let destination = answer.header("location").map { " to \(withoutToken($0))" } ?? ""
            return AdminClientError(
                .badAnswer,
                request,
                "\(server) answered \(answer.status)\(destination) with something that is not Gatehouse's API",
                outcomeUnknown: outcomeUnknown || (proxy && mayChange),
                status: answer.status
            )
        }
        return AdminClientError(
            .problem,
            request,
            withoutToken(problem.detail.isEmpty ? problem.title : problem.detail),
            problem: problem,
            outcomeUnknown: outcomeUnknown,
            status: answer.status
        )
    }
}

/// An answer as it came.
package struct RawAnswer: Sendable {
    package let status: Int
    /// Names in lower case, sorted.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
}
