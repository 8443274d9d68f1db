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
    /// Why something of it cannot be read any more; nil for nearly every one.
    package let fault: String?
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
    /// Entries, newest first, at most so many and what one answer holds. Refusals counted until now are among them.
    /// - Precondition: the limit is positive.
    /// - Returns: also whether there are more that the limit did not keep out.
    package func audit(_ filter: AuditFilter, limit: Int) throws(ServiceError) -> (lines: [AuditLine], isCut: Bool) {
        write(refusals.due(at: now(), .reading))
        let query = AuditQuery(
            actor: filter.actor,
            action: filter.action,
            since: filter.since,
            until: filter.until,
            after: filter.after,
            before: filter.before,
            limit: limit
        )
        let page = try store { store throws(StoreError) in try store.audit(query, bytes: Self.mostAuditBytes) }
        let lines = page.entries.map { recorded in
            AuditLine(
                sequence: recorded.sequence,
                at: recorded.entry.at,
                actor: recorded.entry.actor,
                action: recorded.entry.action,
                isRefusal: recorded.entry.outcome == .refused,
                subject: recorded.entry.subject,
                address: recorded.entry.address,
                requestId: recorded.entry.requestId,
                detail: recorded.entry.detail,
                fault: recorded.fault
            )
        }
        return (lines, page.isCut)
    }

    private static let mostAuditBytes = 1_572_864

    /// Counts a refusal for the audit.
    /// - Parameters:
    ///   - action: what was tried: `session.create`, `request.refused`.
    ///   - code: the refusal's stable word.
    ///   - subject: a name that is known here, or an endpoint; never text that somebody sent: people type passwords into name fields.
    package func refused(_ action: String, code: String, actor: Actor?, subject: String?, from origin: RequestOrigin) {
        refusals.count(
            RefusalCounter.Refusal(action: action, code: code, actor: actor, subject: subject, address: origin.address),
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
        write(refusals.due(at: now(), all ? .ending : .passing))
    }

    private func write(_ entries: [AuditEntry]) {
        guard let store = currentStore() else { return }
        for entry in entries {
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
