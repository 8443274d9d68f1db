import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its answer over URLSession, without cookies, caches and redirections.
///
/// A redirection is handed back as it came: following one would carry the token to whatever host it names.
final class HTTPExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Unchecked: every mutable member is only touched on the session's delegate queue, which URLSession documents as serial, or before
    // the task is resumed.
    private var continuation: CheckedContinuation<Answer, any Error>?
    private var body = Data()
    private var response: HTTPURLResponse?

    struct Answer: Sendable {
        var status: Int
        /// Names in lower case.
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    /// - Throws: `URLError`.
    static func perform(_ request: URLRequest, within timeout: Duration) async throws -> Answer {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let seconds = Double(timeout.components.seconds) + Double(timeout.components.attoseconds) / 1e18
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        let exchange = HTTPExchange()
        let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await withCheckedThrowingContinuation { continuation in
            exchange.continuation = continuation
            session.dataTask(with: request).resume()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        self.response = response
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.response = response as? HTTPURLResponse
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body.append(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let continuation else { return }
        self.continuation = nil
        if let error {
            continuation.resume(throwing: error)
        } else if let response = response ?? task.response as? HTTPURLResponse {
            let headers = response.allHeaderFields.compactMap { name, value -> (name: String, value: String)? in
                (name as? String).map { ($0.lowercased(), "\(value)") }
            }
            continuation.resume(returning: Answer(status: response.statusCode, headers: headers.sorted { $0.name < $1.name }, body: Array(body)))
        } else {
            continuation.resume(throwing: URLError(.badServerResponse))
        }
    }
}
