/// Answers requests. The server beneath calls it on its worker threads, from several at once; each worker serves many
/// connections, so a method that blocks stops them all.
package protocol HTTPResponder: Sendable {
    /// The ready-made answer to GET and HEAD of a path, asked for before anything else. It answers a request with a query only if it has
    /// variants: with one of them, or with itself where the query changes nothing.
    ///
    /// Every feed poll goes this way: make no `String`, look the bytes up (`PathMap`), return.
    /// - Parameter path: the path's bytes as sent, percent-encoded, beginning with `/`; valid only during the call.
    func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse?

    /// Decides, from its head, about any request that `prepared` did not answer: before the body is read where there is one, otherwise when
    /// the request is answered. Called once per request.
    /// - Parameters:
    ///   - head: the request with an empty body.
    ///   - hasBody: whether a body follows.
    func admission(of head: HTTPRequest, hasBody: Bool) -> Admission

    /// The answer to a request that the edge refused. The adapter sets the status and ends the connection where the refusal says so.
    /// - Parameter target: the request's target without its query, as it was sent: it may not be a path at all.
    func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse

    /// Told of every request when its answer has been sent, or given up. Called on worker threads, for every poll: count, do not work.
    func finished(_ exchange: FinishedExchange)
}

extension HTTPResponder {
    package func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse? { nil }

    /// The answer to a request that arrived complete.
    package func response(to request: HTTPRequest) -> HTTPResponse {
        admission(of: request, hasBody: !request.body.isEmpty).response(to: request)
    }

    package func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse {
        refusal.plainText
    }

    package func finished(_ exchange: FinishedExchange) {}
}

/// One request that is over, for access logs and metrics.
package struct FinishedExchange: Sendable {
    /// Nil when the method was none of `HTTPMethod.known`.
    package let method: HTTPMethod?
    /// What was answered; 0 when the client left before there was an answer.
    package let status: Int
    /// Bytes of body in the answer: 0 for HEAD, 204 and 304.
    package let bodyBytes: Int
    /// From the end of the request's head until the answer was handed to the kernel or given up.
    package let duration: Duration
    /// False when the connection broke, or was cut at a deadline, before the answer had gone out.
    package let isComplete: Bool
    /// True when `HTTPResponder.prepared(path:)` answered.
    package let isPrepared: Bool
    /// The number behind `id`.
    package let number: UInt64

    package init(
        method: HTTPMethod?,
        status: Int,
        bodyBytes: Int,
        duration: Duration,
        isComplete: Bool,
        isPrepared: Bool,
        number: UInt64
    ) {
        self.method = method
        self.status = status
        self.bodyBytes = bodyBytes
        self.duration = duration
        self.isComplete = isComplete
        self.isPrepared = isPrepared
        self.number = number
    }

    /// `HTTPRequest.id` of the same request; made only when asked for.
    package var id: String { RequestIdentifier.text(number) }
}
