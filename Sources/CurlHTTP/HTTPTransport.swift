import Dispatch
import Synchronization

/// Sends requests over libcurl and keeps its connections for later requests; no cookies, caches or redirections.
///
/// A redirection is handed back as it came: following one would carry the token to whatever host it names. What a caller must know about a
/// failed request is in ``TransportError``.
///
/// Thread rule: any thread, any number of exchanges at once. Each has a libcurl handle to itself and, unless ``waitsInPlace`` says
/// otherwise, waits on a thread of its own, not on one of Swift's task threads.
package final class HTTPTransport: Sendable {
    package struct Request: Sendable {
        package var method: String
        package var url: String
        /// Must contain no line breaks, which would turn one header into two.
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]?
        /// On a connection that was used before, libcurl resends a request by itself when the connection breaks without an answer, and then
        /// reports only the second attempt: a server that died during a write would look like one that was never reached. A write therefore
        /// has a connection of its own, on which nothing is sent twice.
        package var isAlone: Bool
        /// What signs the request for an object store; nil for every other server.
        package var signer: ObjectStoreSigner?

        package init(
            method: String,
            url: String,
            headers: [(name: String, value: String)],
            body: [UInt8]?,
            isAlone: Bool,
            signer: ObjectStoreSigner? = nil
        ) {
            (self.method, self.url, self.headers, self.body, self.isAlone, self.signer) = (method, url, headers, body, isAlone, signer)
        }
    }

    package struct Answer: Sendable {
        package var status: Int
        /// Names in lower case, sorted.
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]

        package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    private let caFile: String?
    /// Whether exchanges block their callers' threads.
    package let waitsInPlace: Bool
    /// The longest body that is read.
    package let maximumAnswerBytes: Int
    /// The handles that no exchange is using.
    private let idle = Mutex<[CurlHandle]>([])

    /// - Parameters:
    ///   - caFile: a PEM file with the authorities to trust in place of the system's; nil for those.
    ///   - waitsInPlace: exchanges run on the caller's thread, because making a thread takes longer than a short exchange on one machine.
    ///     Only for a program that does nothing else meanwhile, and not on Swift's task threads, which are few.
    ///   - maximumAnswerBytes: eight times the longest export.
    package init(caFile: String? = nil, waitsInPlace: Bool = false, maximumAnswerBytes: Int = 64 << 20) {
        self.caFile = caFile
        self.waitsInPlace = waitsInPlace
        self.maximumAnswerBytes = maximumAnswerBytes
    }

    /// - Parameter timeout: for the whole exchange, even while bytes keep coming.
    package func perform(_ request: Request, within timeout: Duration) async throws(TransportError) -> Answer {
        if waitsInPlace { return try performAndWait(request, within: timeout) }
        let handle = idle.withLock { $0.popLast() } ?? CurlHandle()
        let result = await withCheckedContinuation { continuation in
            // A queue of its own, because the system's queues share only a few threads.
            DispatchQueue(label: "curl").async { [caFile, maximumAnswerBytes] in
                continuation.resume(
                    returning: handle.perform(request, within: timeout, caFile: caFile, maximumAnswerBytes: maximumAnswerBytes)
                )
            }
        }
        idle.withLock { $0.append(handle) }
        return try result.get()
    }

    /// Like ``perform(_:within:)``, but on the calling thread, which it blocks.
    package func performAndWait(_ request: Request, within timeout: Duration) throws(TransportError) -> Answer {
        let handle = idle.withLock { $0.popLast() } ?? CurlHandle()
        defer { idle.withLock { $0.append(handle) } }
        return try handle.perform(request, within: timeout, caFile: caFile, maximumAnswerBytes: maximumAnswerBytes).get()
    }
}
