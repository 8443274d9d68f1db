/// What is decided about a request, once, from its head: a caller who may not send it is told before the body is read, and one who may is
/// not authenticated again when the body has arrived.
package struct Admission: Sendable {
    package enum Decision: Sendable {
        /// The answer. A body is then read and thrown away, so that the connection can go on; with `closesConnection`, or when the client
        /// waits for `100 Continue`, the answer goes out at once and the connection ends.
        case refused(HTTPResponse)
        /// Answers the whole request. Errors are the responder's to turn into answers.
        case admitted(@Sendable (HTTPRequest) -> HTTPResponse)
    }

    /// The route pattern that the request belongs to, for counts and logs; never its path.
    package let pattern: String
    /// The largest body accepted, in bytes, where that differs from the listener's limit; nil for that limit, 0 where no body is accepted
    /// or waited for. The whole body is held in memory.
    package let maximumBodyBytes: Int?
    package let decision: Decision

    package init(pattern: String, maximumBodyBytes: Int? = nil, _ decision: Decision) {
        self.pattern = pattern
        self.maximumBodyBytes = maximumBodyBytes
        self.decision = decision
    }

    /// The answer, where there is one already.
    package var refusal: HTTPResponse? {
        if case .refused(let response) = decision { response } else { nil }
    }

    /// The answer to the whole request.
    package func response(to request: HTTPRequest) -> HTTPResponse {
        switch decision {
        case .refused(let response): response
        case .admitted(let respond): respond(request)
        }
    }
}
