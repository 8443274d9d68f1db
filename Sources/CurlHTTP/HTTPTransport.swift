import Dispatch
import Synchronization

/// Requests and their answers over libcurl, whose connections are kept for the next request; without cookies, caches and redirections.
///
/// A redirection is handed back as it came: following one would carry the token to whatever host it names. What a caller must know of a
/// request that failed is in ``TransportError``.
///
/// Thread rule: any thread, any number of exchanges at once. Each has a handle of libcurl to itself and, unless ``waitsInPlace`` says
/// otherwise, waits on a thread of its own, off the threads of Swift's tasks.
package final class HTTPTransport: Sendable {
    package struct Request: Sendable {
        package var method: String
        package var url: String
        /// Without line ends, which would make two headers of one.
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]?
        /// On a connection that was used before, libcurl sends a request anew by itself when the connection breaks without an answer, and
        /// then speaks of the second attempt alone: a server that died over a write would look like one that was never reached. A write
        /// therefore has a connection of its own, on which nothing is sent twice.
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
    /// Whether exchanges keep the threads of those waiting who ask for them.
    package let waitsInPlace: Bool
    /// The longest body that is read.
    package let maximumAnswerBytes: Int
    /// The handles that no exchange has.
    private let idle = Mutex<[CurlHandle]>([])

    /// - Parameters:
    ///   - caFile: a PEM file with the authorities to trust in place of the system's; nil for those.
    ///   - waitsInPlace: no threads are made, which take longer than a short exchange on one machine: for a program that does nothing else
    ///     meanwhile, and not on the threads of Swift's tasks, which are few.
    ///   - maximumAnswerBytes: eight times the longest export.
    package init(caFile: String? = nil, waitsInPlace: Bool = false, maximumAnswerBytes: Int = 64 << 20) {
        self.caFile = caFile
        self.waitsInPlace = waitsInPlace
        self.maximumAnswerBytes = maximumAnswerBytes
    }

    /// - Parameter timeout: for the whole exchange, however lively it is.
    package func perform(_ request: Request, within timeout: Duration) async throws(TransportError) -> Answer {
        if waitsInPlace { return try performAndWait(request, within: timeout) }
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

    /// As ``perform(_:within:)``, on this very thread, which it blocks.
    package func performAndWait(_ request: Request, within timeout: Duration) throws(TransportError) -> Answer {
        let handle = idle.withLock { $0.popLast() } ?? CurlHandle()
        defer { idle.withLock { $0.append(handle) } }
        return try handle.perform(request, within: timeout, caFile: caFile, maximumAnswerBytes: maximumAnswerBytes).get()
    }
}
