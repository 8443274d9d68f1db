package import GateJSON
package import GateModel

/// An entry of `GET /audit`: something that a person or a program did, or was refused, that is no change of a gate.
package struct AuditBody: APIBody {
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

    package init(
        sequence: Int,
        at: Timestamp,
        actor: Actor?,
        action: String,
        outcome: Outcome,
        subject: String?,
        address: String?,
        requestId: String,
        detail: JSONObject?
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
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An entry of the audit")
        sequence = try reader.integer("sequence")
        at = try reader.time("at")
        actor = try reader.optionalDocument("actor", Actor.init(json:))
        action = try reader.string("action")
        let text = try reader.string("outcome")
        guard let outcome = Outcome(rawValue: text) else {
            throw .malformed("There is no outcome \(JSONValue.string(text).text).", field: "/outcome")
        }
        self.outcome = outcome
        subject = try reader.optionalString("subject")
        address = try reader.optionalString("address")
        requestId = try reader.string("requestId")
        detail = try reader.optionalDocument("detail") { json throws(ModelError) in
            guard let object = json.object else { throw .malformed("detail is an object, not \(json.kindInWords).") }
            return object
        }
    }

    package var json: JSONValue {
        [
            "sequence": .integer(sequence), "at": .string(at.description),
            "actor": actor?.json ?? .null,
            "action": .string(action), "outcome": .string(outcome.rawValue), "subject": subject.map(JSONValue.string) ?? .null,
            "address": address.map(JSONValue.string) ?? .null, "requestId": .string(requestId),
            "detail": detail.map(JSONValue.object) ?? .null,
        ]
    }
}
