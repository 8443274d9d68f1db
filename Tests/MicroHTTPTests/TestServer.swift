import GateHTTP
import MicroHTTP
import Synchronization

/// A responder that answers with what it was asked, and remembers it.
final class EchoResponder: HTTPResponder {
    struct Memory {
        var prepared: PathMap<PreparedResponse> = [:]
        var requests: [HTTPRequest] = []
        var refused: [EdgeRefusal] = []
        var refusedTargets: [String] = []
        var finished: [FinishedExchange] = []
    }

    let memory = Mutex(Memory())
    let respond: @Sendable (HTTPRequest) -> HTTPResponse
    let refuse: @Sendable (HTTPRequest) -> HTTPResponse?
    let maximumBodyBytes: @Sendable (HTTPRequest) -> Int?

    init(
        prepared: PathMap<PreparedResponse> = [:],
        respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { .text("\($0.method) \($0.path)") },
        refuse: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil },
        maximumBodyBytes: @escaping @Sendable (HTTPRequest) -> Int? = { _ in nil }
    ) {
        self.respond = respond
        self.refuse = refuse
        self.maximumBodyBytes = maximumBodyBytes
        memory.withLock { $0.prepared = prepared }
    }

    func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse? {
        memory.withLock { $0.prepared[path] }
    }

    func admission(of head: HTTPRequest, hasBody: Bool) -> Admission {
        if hasBody, let refusal = refuse(head) { return Admission(pattern: head.path, .refused(refusal)) }
        return Admission(
            pattern: head.path,
            maximumBodyBytes: maximumBodyBytes(head),
            .admitted { [self] request in
                memory.withLock { $0.requests.append(request) }
                return respond(request)
            }
        )
    }

    func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse {
        memory.withLock {
            $0.refused.append(refusal)
            $0.refusedTargets.append(target)
        }
        return refusal.plainText
    }

    func finished(_ exchange: FinishedExchange) {
        memory.withLock { $0.finished.append(exchange) }
    }

    var paths: [String] { memory.withLock { $0.requests.map(\.path) } }
    var requests: [HTTPRequest] { memory.withLock { $0.requests } }
    var refused: [EdgeRefusal] { memory.withLock { $0.refused } }
    var refusedTargets: [String] { memory.withLock { $0.refusedTargets } }
    var finished: [FinishedExchange] { memory.withLock { $0.finished } }
}

/// A listener on a free port that stops with the test.
final class TestServer {
    final class Lines: Sendable {
        let lines = Mutex<[(kind: String, line: String)]>([])
    }

    let responder: EchoResponder
    let server: HTTPServer
    private let logged = Lines()

    var port: UInt16 { server.port }
    var log: [String] { logged.lines.withLock { $0.map(\.line) } }
    var kinds: [String] { logged.lines.withLock { $0.map(\.kind) } }

    init(_ responder: EchoResponder = EchoResponder(), _ change: (inout HTTPServer.Configuration) -> Void = { _ in }) throws {
        var configuration = HTTPServer.Configuration()
        change(&configuration)
        self.responder = responder
        server = try HTTPServer(configuration: configuration, responder: responder) { [logged] kind, line in
            logged.lines.withLock { $0.append((kind, line)) }
        }
    }

    /// With deadlines far longer than a test may take, but for what `change` makes of them.
    static func patient(
        _ responder: EchoResponder = EchoResponder(),
        _ change: (inout HTTPServer.Configuration) -> Void
    ) throws -> TestServer {
        try TestServer(responder) { configuration in
            configuration.idleTimeout = .seconds(600)
            configuration.deadlines = HTTPServer.Deadlines(
                headers: .seconds(600),
                body: .seconds(600),
                response: .seconds(600),
                connectionAge: .seconds(600)
            )
            change(&configuration)
        }
    }

    deinit {
        server.stop(grace: .zero)
    }

    func client() throws -> RawClient {
        try RawClient(port: port)
    }

    static let feedBody = Array(#"{"ios":{}}"#.utf8)

    /// One ready-made feed at `/feed.json`.
    static func feed() -> PreparedResponse {
        PreparedResponse(
            body: feedBody,
            etag: "0123abcd",
            headers: ["Content-Type": "application/json; charset=utf-8", "Cache-Control": "public, max-age=0"]
        )
    }
}
