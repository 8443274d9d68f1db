package import GateCrypto
package import GateJSON
import GateModel

/// The first answer to a request that carried an Idempotency-Key.
package struct IdempotencyRecord: Sendable, Hashable {
    /// Who asked, by an identifier that nobody else ever has. A key is only valid for its actor.
    package let actor: String
    package let key: String
    /// The digest of the request's method, path and body: the same key with another request is refused.
    package let requestDigest: SHA256Digest
    /// The answer's status.
    package let status: Int
    /// The answer's body.
    package let body: [UInt8]
    package let at: Timestamp

    /// How long an answer is kept, in seconds: 24 hours.
    package static let lifetime: Int64 = 86_400

    /// How many answers are kept within ``lifetime``. An actor who writes more loses the oldest of their own answers: if such a request is
    /// then repeated, it is refused as stale, or done again if it names no revision.
    package struct Quota: Sendable {
        /// Answers of one actor.
        package var records = 20_000
        /// UTF-8 bytes of one actor's answers.
        package var bytes = 67_108_864
        /// UTF-8 bytes of everybody's answers.
        package var bytesOfAll = 536_870_912

        package init() {}
    }

    package init(actor: String, key: String, requestDigest: SHA256Digest, status: Int, body: [UInt8], at: Timestamp) {
        self.actor = actor
        self.key = key
        self.requestDigest = requestDigest
        self.status = status
        self.body = body
        self.at = at
    }
}
