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

    /// Whether the failures still count: the first of them is less than `window` seconds ago, and was not counted by a clock that has been
    /// put back since.
    package func counts(within window: Int64, at now: Timestamp) -> Bool {
        firstFailureAt <= now.advanced(bySeconds: StoredTime.lead) && now < firstFailureAt.advanced(bySeconds: window)
    }
}
