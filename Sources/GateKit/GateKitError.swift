/// Why a check of a feed brought nothing. What was in force before stays in force.
public struct GateKitError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There was no whole answer in time.
        case timeout
        /// The connection failed, broke off, or was led where it must not go.
        case transport
        /// Another status than 200, or than 304 to a question that named what is there.
        case status
        /// The answer is larger than what is read.
        case tooLarge = "too_large"
        /// The document cannot be used at all.
        case malformed
        /// The document is not signed by a key that is pinned.
        case signature
        /// The document is older than one that was seen.
        case rollback
        /// The document is another app's or another platform's.
        case wrongApp = "wrong_app"
        /// The document was issued longer ago than is allowed.
        case tooOld = "too_old"
        /// What is to be remembered could not be read or kept. The decision stands all the same.
        case memory
    }

    public let code: Code
    /// One sentence for a log.
    public let detail: String
    /// What it came from, where it came from elsewhere.
    public let underlying: (any Error)?

    public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.detail = detail
        self.underlying = underlying
    }

    public var description: String { "\(code.rawValue): \(detail)" }
}
