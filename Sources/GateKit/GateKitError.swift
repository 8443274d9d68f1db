/// Why a check of a feed failed. What was in force before stays in force.
public struct GateKitError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it was, for programs.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// No complete answer arrived in time.
        case timeout
        /// The connection failed or broke off, or the server redirected it to an address that is not allowed.
        case transport
        /// A status other than 200, or a 304 to a request that did not name a known document.
        case status
        /// The answer exceeds the size limit.
        case tooLarge = "too_large"
        /// The document cannot be used at all.
        case malformed
        /// The document is not signed by a pinned key.
        case signature
        /// The document is older than one seen before.
        case rollback
        /// The document belongs to another app or platform.
        case wrongApp = "wrong_app"
        /// The document was issued longer ago than allowed.
        case tooOld = "too_old"
        /// What GateKit remembers could not be read or saved. The decision stands all the same.
        case memory
    }

    /// For programs; people read ``detail``.
    public let code: Code
    /// One sentence for a log.
    public let detail: String
    /// The error that caused this one, if there was one.
    public let underlying: (any Error)?

    public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.detail = detail
        self.underlying = underlying
    }

    public var description: String { "\(code.rawValue): \(detail)" }
}
