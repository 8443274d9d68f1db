package import CurlHTTP
package import GateAPI

/// A request to the admin API brought no usable answer.
package struct AdminClientError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The server refused; ``AdminClientError/problem`` says why.
        case problem
        /// No connection was made: nothing has reached the server.
        case unreachable
        /// The request was sent, but no answer came in time.
        case noAnswer
        /// Something answered that is not this API.
        case badAnswer
        /// The server is there, and below the path in its address it has no API.
        case wrongPath
        /// The token would have crossed a network unencrypted; nothing was sent.
        case tokenWithheld
    }

    package let code: Code
    /// `POST /api/v1/changes`
    package let request: String
    /// One sentence for people; never a secret.
    package let detail: String
    package let problem: ProblemBody?
    /// What stood in the way, where no answer came.
    package let underlying: TransportError?
    /// True when a write may have been done although nobody said so. Never true for a read.
    package let outcomeUnknown: Bool
    /// HTTP status, where something answered.
    package let status: Int?

    init(
        _ code: Code,
        _ request: String,
        _ detail: String,
        problem: ProblemBody? = nil,
        underlying: TransportError? = nil,
        outcomeUnknown: Bool = false,
        status: Int? = nil
    ) {
        self.code = code
        self.request = request
        self.detail = detail
        self.problem = problem
        self.underlying = underlying
        self.outcomeUnknown = outcomeUnknown
        self.status = status
    }

    package var description: String { "\(request): \(detail)" }
}
