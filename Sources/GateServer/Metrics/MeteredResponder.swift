package import GateHTTP

/// A responder whose work is counted, and logged where somebody may want to read about it.
package struct MeteredResponder<Inner: HTTPResponder>: HTTPResponder {
    private let inner: Inner
    private let metrics: ListenerMetrics
    private let log: (@Sendable (AccessRecord) -> Void)?

    /// - Parameter log: takes what is logged: writes, and requests that failed. Called on the thread that answers, so it must not wait. Nil
    ///   where everybody may ask as often as they like: there requests are only counted.
    package init(
        _ inner: Inner,
        metrics: ListenerMetrics,
        log: (@Sendable (AccessRecord) -> Void)?
    ) {
        self.inner = inner
        self.metrics = metrics
        self.log = log
    }

    package func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse? { inner.prepared(path: path) }

    package func admission(of head: HTTPRequest, hasBody: Bool) -> Admission {
        let begun = ContinuousClock.now
        let admission = inner.admission(of: head, hasBody: hasBody)
        let asked = ContinuousClock.now - begun
        switch admission.decision {
        case .refused(let response):
            record(head, response, of: admission.pattern, took: asked)
            return admission
        case .admitted(let respond):
            return Admission(
                pattern: admission.pattern,
                maximumBodyBytes: admission.maximumBodyBytes,
                .admitted { request in
                    let begun = ContinuousClock.now
                    let response = respond(request)
                    record(request, response, of: admission.pattern, took: asked + (ContinuousClock.now - begun))
                    return response
                }
            )
        }
    }

    package func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse {
        metrics.refused(refusal.code)
        return inner.response(to: refusal, of: target, id: id)
    }

    package func finished(_ exchange: FinishedExchange) {
        metrics.finished(exchange)
        inner.finished(exchange)
    }

    private func record(_ request: HTTPRequest, _ response: HTTPResponse, of pattern: String, took duration: Duration) {
        let isSession = pattern == "/api/v1/session"
        // Somebody whom a proxy names signs in by asking who they are; nobody else is refused with a 403 or 429 there.
        let isRefusedSignIn =
            isSession
            && (request.method == .post && [401, 429].contains(response.status)
                || request.method == .get && [403, 429].contains(response.status))
        metrics.answered(request.method, pattern: pattern, status: response.status, isRefusedSignIn: isRefusedSignIn)
        let isWrite = request.method != .get && request.method != .head && request.method != .options
        if isWrite { metrics.writes.record(duration) }
        // Successful reads are only counted, because a dashboard polls every second.
        guard let log, isWrite || response.status >= 500 else { return }
        log(
            AccessRecord(
                method: request.method.rawValue,
                pattern: pattern,
                status: response.status,
                duration: duration,
                peer: request.peer.text,
                id: request.id
            )
        )
    }
}

/// One line of the access log. It holds no path, query, header or body: those may hold secrets.
package struct AccessRecord: Sendable {
    package let method: String
    package let pattern: String
    package let status: Int
    package let duration: Duration
    package let peer: String
    package let id: String

    /// Whole microseconds.
    package var microseconds: Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
