/// Answers requests. The server beneath calls it on its worker threads, from several at once; each worker serves many
/// connections, so a method that blocks stops them all.
package protocol HTTPResponder: Sendable {
    /// The ready-made answer to GET and HEAD of a path, asked before anything else. To a request with a query it is the answer only where it has
    /// variants, one of which is then given, or itself where the query changes nothing.
    ///
    /// This is the way of every feed poll: make no `String`, look the bytes up (`PathMap`), return.
    /// - Parameter path: the path's bytes as sent, percent-encoded, beginning with `/`; valid only during the call.
    func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse?

    /// What becomes of any request that `prepared` did not answer, by its head: of one with a body before that is taken, of any other when it
    /// is answered. Asked once a request.
    /// - Parameters:
    ///   - head: the request with an empty body.
    ///   - hasBody: whether one comes.
    func admission(of head: HTTPRequest, hasBody: Bool) -> Admission

    /// The answer to a request that the edge refused. The adapter sets the status and ends the connection where the refusal says so.
    /// - Parameter target: the request's target without its query, as it came: it may be no path at all.
    func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse

    /// Told of every request when its answer has been sent, or given up. Called on worker threads, for every poll: count, do not work.
    func finished(_ exchange: FinishedExchange)
}

extension HTTPResponder {
    package func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse? { nil }

    /// The answer to a request that came whole.
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
