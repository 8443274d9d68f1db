package import GateJSON
package import GateModel

/// An entry of `GET /audit`: something that a person or a program did, or was refused, that is no change of a gate.
package struct AuditBody: TabledBody {
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        case succeeded, refused
    }

    /// Position among all entries; gapless from 1.
    package var sequence: Int
    package var at: Timestamp
    /// Who, as far as it was proven; nil when nobody was signed in.
    package var actor: Actor?
    /// `session.create`, `people.update`, `token.revoke`, `request.refused` …
    package var action: String
    package var outcome: Outcome
    /// Whom or what it was done to: a user's name, a token's id, an endpoint.
    package var subject: String?
    package var address: String?
    package var requestId: String
    /// More about it; refusals have `count`, how often the same was refused within the minute. Never a secret.
    package var detail: JSONObject?
    /// Why something of it cannot be read any more, as a sentence; nil for nearly every one. What is lost says nothing here.
    package var fault: String?

    package init(
        sequence: Int,
        at: Timestamp,
        actor: Actor?,
        action: String,
        outcome: Outcome,
        subject: String?,
        address: String?,
        requestId: String,
        detail: JSONObject?,
        fault: String? = nil
    ) {
        self.sequence = sequence
        self.at = at
        self.actor = actor
        self.action = action
        self.outcome = outcome
        self.subject = subject
        self.address = address
        self.requestId = requestId
        self.detail = detail
        self.fault = fault
    }

    package static let table = FieldTable<AuditBody>(
        answer: "AuditEntry", "An entry of the audit",
        .needed("sequence", .integer(1...), \.sequence), .needed("at", .time, \.at), .nullable("actor", .actor, \.actor),
        .needed("action", .string, \.action), .needed("outcome", .word, \.outcome), .nullable("subject", .string, \.subject),
        .nullable("address", .string, \.address), .needed("requestId", .string, \.requestId),
        .nullable("detail", .anyObject, \.detail), .optional("unreadable", .string, \.fault),
        make: AuditBody.init
    )
}
