package import GateJSON
package import GateModel
import GateStore

/// An entry of the audit as its readers see it.
package struct AuditLine: Sendable, Hashable {
    package let sequence: Int
    package let at: Timestamp
    package let actor: Actor?
    package let action: String
    package let isRefusal: Bool
    package let subject: String?
    package let address: String?
    package let requestId: String
    package let detail: JSONObject?
}

/// Which entries of the audit to list; nil asks for nothing.
package struct AuditFilter: Sendable, Hashable {
    /// The actor's name, or that of the person whose token it is.
    package var actor: String?
    /// The exact action.
    package var action: String?
    package var since: Timestamp?
    package var until: Timestamp?
    /// Sequences greater than this one.
    package var after: Int?
    /// Sequences smaller than this one.
    package var before: Int?

    package init() {}
}

extension AccessService {
    /// Entries, newest first. Refusals counted until now are among them.
    /// - Precondition: the limit is positive.
    package func audit(_ filter: AuditFilter, limit: Int) throws(ServiceError) -> [AuditLine] {
        writeRefusals(all: true)
        let query = AuditQuery(
            actor: filter.actor,
            action: filter.action,
            since: filter.since,
            until: filter.until,
            after: filter.after,
            before: filter.before,
            limit: limit
        )
        return try store { store throws(StoreError) in try store.audit(query) }.map { recorded in
            AuditLine(
                sequence: recorded.sequence,
                at: recorded.entry.at,
                actor: recorded.entry.actor,
                action: recorded.entry.action,
                isRefusal: recorded.entry.outcome == .refused,
                subject: recorded.entry.subject,
                address: recorded.entry.address,
                requestId: recorded.entry.requestId,
                detail: recorded.entry.detail
            )
        }
    }

    /// Counts a refusal for the audit.
    /// - Parameters:
    ///   - action: what was tried: `session.create`, `request.refused`.
    ///   - code: the refusal's stable word.
    ///   - subject: a name that is known here, or an endpoint; never text that somebody sent: people type passwords into name fields.
    package func refused(_ action: String, code: String, actor: Actor?, subject: String?, from origin: RequestOrigin) {
        refusals.count(
            RefusalCounter.Kind(action: action, code: code, actor: actor, subject: subject, address: origin.address),
            at: now(),
            requestId: origin.requestId
        )
    }

    /// Notes that somebody took everything, or one app, with them.
    /// - Parameter app: nil for everything that they see.
    /// - Throws: when it cannot be written: then there is no export either.
    package func exported(_ app: AppKey?, apps: Int, by caller: Caller) throws(ServiceError) {
        let entry = entry("export.create", by: caller, subject: app?.text, detail: ["apps": .integer(apps)])
        try store { store throws(StoreError) in try store.appendAudit(entry) }
    }

    /// Writes the refusals whose minute is over. Called every second, and with `all` before the server ends.
    package func writeRefusals(all: Bool = false) {
        guard let store = currentStore() else { return }
        for entry in refusals.due(at: now(), all: all) {
            do throws(StoreError) {
                try store.appendAudit(entry)
                failures.worked(.refusals)
            } catch {
                // A refusal that a full disk keeps out of the audit was still refused.
                failures.failed(.refusals, error)
            }
        }
    }
}
