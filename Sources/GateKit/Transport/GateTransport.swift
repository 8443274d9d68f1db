public import Foundation

/// How a document is fetched. Tests pass in one of their own and so need no network.
public protocol GateTransport: Sendable {
    /// Answers one GET, whatever the status.
    ///
    /// Must end when its task is cancelled; ``GateMonitor`` never waits longer than the request's time-out.
    /// - Throws: ``GateKitError`` `timeout`, `transport` or `too_large`; any other error counts as `transport`.
    func send(_ request: GateRequest) async throws -> GateResponse
}

/// One GET.
public struct GateRequest: Sendable, Hashable {
    /// The feed's address, with the phone's data if that is sent.
    public var url: URL
    /// Header fields by name, to be sent as they are.
    public var headers: [String: String]
    /// Seconds for everything, from the connection to the last byte.
    public var timeout: TimeInterval
    /// The most bytes of a body; if more arrive, the request fails with `too_large` at once.
    public var maximumBytes: Int

    public init(url: URL, headers: [String: String] = [:], timeout: TimeInterval = 10, maximumBytes: Int = 262_144) {
        self.url = url
        self.headers = headers
        self.timeout = timeout
        self.maximumBytes = maximumBytes
    }
}

/// An answer with its complete body.
public struct GateResponse: Sendable, Hashable {
    /// The status code of HTTP, after any redirections.
    public var status: Int
    /// With names in lower case.
    public var headers: [String: String]
    /// Empty for 304.
    public var body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        self.body = body
    }
}
