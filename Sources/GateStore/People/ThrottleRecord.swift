package import GateJSON
import GateModel

/// Failed attempts, kept on disk so that a restart does not forget them.
package struct ThrottleRecord: Sendable, Hashable {
    /// What is counted: an account, an account at an address, or an address, in the caller's own spelling.
    package let scope: String
    /// At least 1.
    package let failures: Int
    /// When the first of them happened.
    package let firstFailureAt: Timestamp
    /// No attempt is allowed before this moment.
    package let notBefore: Timestamp

    package init(scope: String, failures: Int, firstFailureAt: Timestamp, notBefore: Timestamp) {
        self.scope = scope
        self.failures = failures
        self.firstFailureAt = firstFailureAt
        self.notBefore = notBefore
    }
}
