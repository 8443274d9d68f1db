public import GateJSON

/// Something that a person or a program did, or was refused, other than a change of a gate: a sign-in, a new token, another role.
public struct AuditEntry: Sendable, Hashable {
    public enum Outcome: String, Sendable, CaseIterable {
        case succeeded, refused
    }

    public let at: Timestamp
    /// Nil if nobody was signed in.
    public let actor: Actor?
    /// What was done, such as `session.create`, `people.update` or `request.refused`.
    public let action: String
    public let outcome: Outcome
    /// Whom or what it was done to: a user's name, a token's identifier, a path.
    public package(set) var subject: String?
    /// The address that the request came from.
    public let address: String?
    public let requestId: String
    /// More about it, such as the values before and after. Refusals have `count`: how often the same thing was refused within the minute.
    /// Never contains a secret.
    public package(set) var detail: JSONObject?

    public init(
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

/// An entry as it stands in the audit chain.
public struct RecordedAuditEntry: Sendable, Hashable {
    /// Position among all entries; starts at 1, without gaps.
    public let sequence: Int
    public package(set) var entry: AuditEntry
    /// Why part of it can no longer be read, as a sentence; nil for nearly every entry. What is lost is nil or a placeholder.
    public var fault: String?

    public init(sequence: Int, entry: AuditEntry, fault: String? = nil) {
        self.sequence = sequence
        self.entry = entry
        self.fault = fault
    }
}
