package import GateJSON
package import GateModel

/// An entry of `GET /audit`.
extension RecordedAuditEntry: TabledBody {
    package static let table = FieldTable<RecordedAuditEntry>(
        answer: "AuditEntry",
        "An entry of the audit",
        .needed("sequence", .integer(1...), \.sequence),
        .needed("at", .time, \.entry.at),
        .nullable("actor", .document, \.entry.actor),
        .needed("action", .string, \.entry.action),
        .needed("outcome", .word, \.entry.outcome),
        .nullable("subject", .string, \.entry.subject),
        .nullable("address", .string, \.entry.address),
        .needed("requestId", .string, \.entry.requestId),
        .nullable("detail", .anyObject, \.entry.detail),
        .optional("unreadable", .string, \.fault)
    ) { sequence, at, actor, action, outcome, subject, address, requestId, detail, fault in
        let entry = AuditEntry(
            at: at,
            actor: actor,
            action: action,
            outcome: outcome,
            subject: subject,
            address: address,
            requestId: requestId,
            detail: detail
        )
        return RecordedAuditEntry(sequence: sequence, entry: entry, fault: fault)
    }
}
