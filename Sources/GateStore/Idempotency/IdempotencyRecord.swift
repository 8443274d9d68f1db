package import GateCrypto
package import GateJSON
import GateModel

/// The first answer to a request that carried an Idempotency-Key.
package struct IdempotencyRecord: Sendable, Hashable {
    /// Who asked, by an identifier that nobody else ever has. A key means nothing to another.
    package let actor: String
    package let key: String
    /// Of the request's method, path and body: the same key with another request is refused.
    package let requestDigest: SHA256Digest
    /// The answer's status.
    package let status: Int
    /// The answer's body.
    package let body: [UInt8]
    package let at: Timestamp

    /// How long an answer is kept, in seconds: 24 hours.
    package static let lifetime: Int64 = 86_400

    package init(actor: String, key: String, requestDigest: SHA256Digest, status: Int, body: [UInt8], at: Timestamp) {
        self.actor = actor
        self.key = key
        self.requestDigest = requestDigest
        self.status = status
        self.body = body
        self.at = at
    }
}
