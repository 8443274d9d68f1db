import Dispatch
import Synchronization

/// Requests and their answers over libcurl, whose connections are kept for the next request; without cookies, caches and redirections.
///
/// A redirection is handed back as it came: following one would carry the token to whatever host it names. What a caller must know of a
/// request that failed is in ``TransportError``.
///
/// Thread rule: any thread, any number of exchanges at once. Each has a handle of libcurl to itself and waits on a thread of its own,
/// off the threads of Swift's tasks.
final class HTTPTransport: Sendable {
    struct Request: Sendable {
        var method: String
        var url: String
        /// Without line ends, which would make two headers of one.
        var headers: [(name: String, value: String)]
        var body: [UInt8]?
        /// On a connection that was used before, libcurl sends a request anew by itself when the connection breaks without an answer, and
        /// then speaks of the second attempt alone: a server that died over a write would look like one that was never reached. A write
        /// therefore has a connection of its own, on which nothing is sent twice.
        var isAlone: Bool
    }

    struct Answer: Sendable {
        var status: Int
        /// Names in lower case, sorted.
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    private let caFile: String?
    /// The longest body that is read.
    let maximumAnswerBytes: Int
    /// The handles that no exchange has.
    private let idle = Mutex<[CurlHandle]>([])

    /// - Parameters:
    ///   - caFile: a PEM file with the authorities to trust in place of the system's; nil for those.
    ///   - maximumAnswerBytes: eight times the longest export.
    init(caFile: String? = nil, maximumAnswerBytes: Int = 64 << 20) {
        self.caFile = caFile
        self.maximumAnswerBytes = maximumAnswerBytes
    }

    /// - Parameter timeout: for the whole exchange, however lively it is.
    func perform(_ request: Request, within timeout: Duration) async throws(TransportError) -> Answer {
        let handle = idle.withLock { $0.popLast() } ?? CurlHandle()
        let result = await withCheckedContinuation { continuation in
            // A queue of its own, because those of the system have a few threads for everybody.
            DispatchQueue(label: "curl").async { [caFile, maximumAnswerBytes] in
                continuation.resume(
                    returning: handle.perform(request, within: timeout, caFile: caFile, maximumAnswerBytes: maximumAnswerBytes)
                )
            }
        }
        idle.withLock { $0.append(handle) }
        return try result.get()
    }
}
