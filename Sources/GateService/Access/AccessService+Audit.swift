import GateJSON
package import GateModel
import GateStore

extension AccessService {
    /// Entries, newest first, at most the query's limit and what one answer holds. Refusals counted until now are among them.
    /// - Precondition: the limit is positive.
    /// - Returns: also whether there are more that the limit did not keep out.
    package func audit(_ query: AuditQuery) throws(ServiceError) -> (entries: [RecordedAuditEntry], isCut: Bool) {
        write(refusals.due(at: now(), .reading))
        return try store { store throws(StoreError) in try store.audit(query, bytes: Self.mostAuditBytes) }
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
