import GateJSON
package import GateModel
import GateStore

extension AccessService {
    /// Entries, newest first, up to the query's limit and to what fits in one answer. Refusals counted so far are included.
    /// - Precondition: the limit is positive.
    /// - Parameter caller: gets the entries without what they say of apps that the caller may not see.
    /// - Returns: also whether more entries were left out because the answer was full, not because of the limit.
    package func audit(_ query: AuditQuery, for caller: Caller) throws(ServiceError) -> (entries: [RecordedAuditEntry], isCut: Bool) {
        write(refusals.due(at: now(), .reading))
        let found = try store { store throws(StoreError) in try store.audit(query, bytes: Self.mostAuditBytes) }
        return (found.entries.map { $0.seen(by: caller) }, found.isCut)
    }

    private static let mostAuditBytes = 1_572_864

    /// Counts a refusal for the audit.
    /// - Parameters:
    ///   - action: what was tried: `session.create`, `request.refused`.
    ///   - actor: nil where nobody was recognised.
    ///   - subject: a name that is known here, or an endpoint; never text that somebody sent, because people type passwords into name
    ///     fields.
    /// - Returns: the refusal, which is counted now.
    package func counted(
        _ refusal: ServiceError,
        of action: String,
        actor: Actor? = nil,
        subject: String?,
        from origin: RequestOrigin
    ) -> ServiceError {
        refusals.count(
            RefusalCounter.Refusal(action: action, code: refusal.word, actor: actor, subject: subject, address: origin.address),
            at: now(),
            requestId: origin.requestId
        )
        return refusal.counted
    }

    /// Records that somebody exported everything, or one app: the first time in a minute at once, what follows of the same kind as one row
    /// with its number when the minute is over. Reading must not let anybody fill a table that never shrinks.
    /// - Parameter app: nil for everything they can see.
    /// - Throws: when the entry cannot be written; there must then be no export either.
    package func exported(_ app: AppKey?, apps: Int, by caller: Caller) throws(ServiceError) {
        let entry = entry("export.create", by: caller, subject: app?.text, detail: ["apps": .integer(apps)])
        let kind = RefusalCounter.Refusal(
            action: entry.action,
            code: nil,
            actor: caller.actor,
            subject: entry.subject,
            address: entry.address
        )
        guard refusals.isFirst(kind, at: entry.at, requestId: caller.requestId) else { return }
        do { try store { store throws(StoreError) in try store.appendAudit(entry) } } catch {
            refusals.forget(kind)
            throw error
        }
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
