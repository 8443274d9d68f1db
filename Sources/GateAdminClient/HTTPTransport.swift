import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests and their answers over one URLSession, whose connections are kept for the next request; without cookies, caches and
/// redirections.
///
/// A redirection is handed back as it came: following one would carry the token to whatever host it names. That is why this is a
/// delegate: FoundationNetworking follows redirections of tasks with a completion handler by itself.
final class HTTPTransport: Sendable {
    struct Answer: Sendable {
        var status: Int
        /// Names in lower case, sorted.
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    private let session: URLSession
    private let delegate = Delegate()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        // A session keeps its delegate, and itself, until it is told to end.
        session.finishTasksAndInvalidate()
    }

    /// - Parameter timeout: for the whole exchange, however lively it is.
    /// - Throws: `URLError`.
    func perform(_ request: URLRequest, within timeout: Duration) async throws -> Answer {
        let (seconds, attoseconds) = timeout.components
        var request = request
        request.timeoutInterval = max(0.001, Double(seconds) + Double(attoseconds) / 1e18)
        let task = session.dataTask(with: request)
        let delegate = delegate
        // URLSession's own timeout starts anew with every byte; this one does not.
        let watchdog = Task {
            try await Task.sleep(for: timeout)
            delegate.finish(task, .failure(URLError(.timedOut)))
            task.cancel()
        }
        defer { watchdog.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            delegate.begin(task, continuation)
            task.resume()
        }
    }

    private final class Delegate: NSObject, URLSessionDataDelegate {
        private struct Exchange {
            var continuation: CheckedContinuation<Answer, any Error>
            var response: HTTPURLResponse?
            var body: [UInt8] = []
        }

        /// By the task's identifier, from its start to its end or timeout.
        private let exchanges = Mutex<[Int: Exchange]>([:])

        func begin(_ task: URLSessionTask, _ continuation: CheckedContinuation<Answer, any Error>) {
            let identifier = task.taskIdentifier
            exchanges.withLock { $0[identifier] = Exchange(continuation: continuation) }
        }

        /// Ends an exchange with a result, or with what has been received when there is none; later ends of the same one do nothing.
        func finish(_ task: URLSessionTask, _ result: Result<Answer, any Error>?) {
            let identifier = task.taskIdentifier
            guard let exchange = exchanges.withLock({ $0.removeValue(forKey: identifier) }) else { return }
            exchange.continuation.resume(with: result ?? Self.answer(exchange.response ?? task.response as? HTTPURLResponse, exchange.body))
        }

        private static func answer(_ response: HTTPURLResponse?, _ body: [UInt8]) -> Result<Answer, any Error> {
            guard let response else { return .failure(URLError(.badServerResponse)) }
            let headers = response.allHeaderFields.compactMap { name, value -> (name: String, value: String)? in
                (name as? String).map { ($0.lowercased(), "\(value)") }
            }
            return .success(Answer(status: response.statusCode, headers: headers.sorted { $0.name < $1.name }, body: body))
        }

        private func received(_ response: URLResponse, by task: URLSessionTask) {
            let identifier = task.taskIdentifier
            let response = response as? HTTPURLResponse
            exchanges.withLock { $0[identifier]?.response = response }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            received(response, by: task)
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            received(response, by: dataTask)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let identifier = dataTask.taskIdentifier
            exchanges.withLock { $0[identifier]?.body.append(contentsOf: data) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            finish(task, error.map { .failure($0) })
        }
    }
}
