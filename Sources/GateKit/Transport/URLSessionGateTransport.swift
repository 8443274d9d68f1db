import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Fetches with Foundation's URLSession: no cache, no cookies, no credentials, and no more bytes than the request allows.
public final class URLSessionGateTransport: GateTransport {
    private let delegate: ExchangeDelegate
    private let session: URLSession

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        delegate = ExchangeDelegate()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func send(_ request: GateRequest) async throws -> GateResponse {
        var urlRequest = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: request.timeout)
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        // So that the announced length can be compared with what arrives.
        urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        let task = session.dataTask(with: urlRequest)
        delegate.begin(task, maximumBytes: request.maximumBytes)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if delegate.hold(task, continuation) { task.resume() }
            }
        } onCancel: {
            task.cancel()
            delegate.end(task, .failure(GateKitError(.transport, "The request was cancelled.")))
        }
    }
}

/// Collects what arrives for each task, and resumes its continuation exactly once: when the task completes, or earlier if the answer is
/// refused or nobody wants it any more.
///
/// Unchecked: every use of `exchanges` holds the lock; callbacks arrive on the session's queue.
private final class ExchangeDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct Exchange {
        let maximumBytes: Int
        /// Nil until somebody waits.
        var continuation: CheckedContinuation<GateResponse, any Error>?
        /// How it ended before anybody waited: whoever sends may have been cancelled already.
        var result: Result<GateResponse, GateKitError>?
        var body = Data()
        var redirections = 0
    }

    // `Synchronization.Mutex` needs macOS 15.
    private let lock = NSLock()
    private var exchanges: [Int: Exchange] = [:]

    func begin(_ task: URLSessionTask, maximumBytes: Int) {
        lock.lock()
        defer { lock.unlock() }
        exchanges[task.taskIdentifier] = Exchange(maximumBytes: maximumBytes)
    }

    /// Has the continuation wait for the exchange's end.
    /// - Returns: false if the exchange has ended already; the continuation is resumed then.
    func hold(_ task: URLSessionTask, _ continuation: CheckedContinuation<GateResponse, any Error>) -> Bool {
        lock.lock()
        let result = exchanges[task.taskIdentifier]?.result
        if result == nil { exchanges[task.taskIdentifier]?.continuation = continuation } else { exchanges[task.taskIdentifier] = nil }
        lock.unlock()
        guard let result else { return true }
        continuation.resume(with: result.mapError { $0 as any Error })
        return false
    }

    private func change<Result>(_ task: URLSessionTask, _ body: (inout Exchange) -> Result) -> Result? {
        lock.lock()
        defer { lock.unlock() }
        guard var exchange = exchanges[task.taskIdentifier] else { return nil }
        defer { exchanges[task.taskIdentifier] = exchange }
        return body(&exchange)
    }

    /// Ends the exchange at once, whatever the task still delivers: a task that floods the session takes long to cancel. The task is not
    /// cancelled inside a session callback, and this comes after the callback's completion handler, because whoever waits may cancel the
    /// task as soon as they have the error: Foundation on Linux crashes the program if the handler is called after that.
    func end(_ task: URLSessionTask, _ result: Result<GateResponse, GateKitError>) {
        lock.lock()
        let exchange = exchanges.removeValue(forKey: task.taskIdentifier)
        if var exchange, exchange.continuation == nil {
            exchange.result = exchange.result ?? result
            exchanges[task.taskIdentifier] = exchange
        }
        lock.unlock()
        exchange?.continuation?.resume(with: result.mapError { $0 as any Error })
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let followed = change(task) { exchange in
            exchange.redirections += 1
            return exchange.redirections - 1
        }
        guard let followed, RedirectRule.allows(from: response.url, to: request.url, followed: followed) else {
            completionHandler(nil)
            let why = "The server redirects more than \(RedirectRule.most) times, or to a weaker scheme."
            return end(task, .failure(GateKitError(.transport, why)))
        }
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let most = change(dataTask) { $0.maximumBytes } ?? 0
        guard response.expectedContentLength <= Int64(most) else {
            completionHandler(.cancel)
            return end(dataTask, .failure(Self.tooLarge(most)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let most = change(dataTask) { exchange -> Int? in
            guard exchange.body.count + data.count <= exchange.maximumBytes else { return exchange.maximumBytes }
            exchange.body.append(data)
            return nil
        }
        guard case .some(.some(let most)) = most else { return }
        end(dataTask, .failure(Self.tooLarge(most)))
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            let code = (error as? URLError)?.code == .timedOut ? GateKitError.Code.timeout : .transport
            return end(task, .failure(GateKitError(code, "\(error.localizedDescription)", underlying: error)))
        }
        guard let response = task.response as? HTTPURLResponse else {
            return end(task, .failure(GateKitError(.transport, "The answer is not HTTP.")))
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        guard let body = change(task, { $0.body }) else { return }
        let answer = GateResponse(status: response.statusCode, headers: headers, body: body)
        end(task, Self.incomplete(answer).map(Result.failure) ?? .success(answer))
    }

    private static func tooLarge(_ most: Int) -> GateKitError {
        GateKitError(.tooLarge, "The answer is larger than \(most) bytes.")
    }

    /// An error if the body has fewer or more bytes than announced; Foundation does not report this on every system.
    private static func incomplete(_ answer: GateResponse) -> GateKitError? {
        if let encoding = answer.headers["content-encoding"], encoding.lowercased() != "identity" {
            return GateKitError(.transport, "The answer is encoded as \(encoding.prefix(20)), which was not asked for.")
        }
        guard answer.status == 200, let length = answer.headers["content-length"].flatMap(Int.init), length != answer.body.count else {
            return nil
        }
        return GateKitError(.transport, "The answer has \(answer.body.count) bytes instead of \(length).")
    }
}
