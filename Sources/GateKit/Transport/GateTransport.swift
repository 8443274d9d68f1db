public import Foundation

/// How a document is fetched. One that is handed in makes tests need no network.
public protocol GateTransport: Sendable {
    /// Answers one GET, whatever the status.
    ///
    /// Must end when its task is cancelled; ``GateMonitor`` does not wait longer than the request's time-out in any case.
    /// - Throws: ``GateKitError`` `timeout`, `transport` or `too_large`; any other error counts as `transport`.
    func send(_ request: GateRequest) async throws -> GateResponse
}

/// One GET.
public struct GateRequest: Sendable, Hashable {
    public var url: URL
    public var headers: [String: String]
    /// Seconds for everything, from the connection to the last byte.
    public var timeout: TimeInterval
    /// Bytes of the body at most; more is `too_large`, found out while it comes.
    public var maximumBytes: Int

    public init(url: URL, headers: [String: String] = [:], timeout: TimeInterval = 10, maximumBytes: Int = 262_144) {
        self.url = url
        self.headers = headers
        self.timeout = timeout
        self.maximumBytes = maximumBytes
    }
}

/// An answer with its whole body.
public struct GateResponse: Sendable, Hashable {
    public var status: Int
    /// By their names in lower case.
    public var headers: [String: String]
    public var body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        self.body = body
    }
}
