package import GateJSON
package import GateModel

/// Something that a person or a program did, or was refused, that is no change of a gate: a sign-in, a new token, another's role.
package struct AuditEntry: Sendable, Hashable {
    package enum Outcome: String, Sendable, CaseIterable {
        case succeeded, refused
    }

    package let at: Timestamp
    /// Nil when nobody was signed in.
    package let actor: Actor?
    /// What was done, in the form `session.created`, `user.updated`, `token.revoked`.
    package let action: String
    package let outcome: Outcome
    /// Whom or what it was done to: a user's name, a token's identifier, a path.
    package let subject: String?
    /// The address that the request came from.
    package let address: String?
    package let requestId: String
    /// More about it, such as the values before and after. Never a secret.
    package let detail: JSONObject?

    package init(
        at: Timestamp,
        actor: Actor?,
        action: String,
        outcome: Outcome = .succeeded,
        subject: String? = nil,
        address: String? = nil,
        requestId: String,
        detail: JSONObject? = nil
    ) {
        self.at = at
        self.actor = actor
        self.action = action
        self.outcome = outcome
        self.subject = subject
        self.address = address
        self.requestId = requestId
        self.detail = detail
    }
}

/// An entry as it stands in the audit's chain.
package struct RecordedAuditEntry: Sendable, Hashable {
    /// Position among all entries; gapless from 1.
    package let sequence: Int
    package let entry: AuditEntry
    /// Why something of it cannot be read any more, as a sentence; nil for nearly every one. What is lost is nil or says nothing.
    package var fault: String?
}
