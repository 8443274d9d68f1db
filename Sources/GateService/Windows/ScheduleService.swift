import GateJSON
package import GateModel
import GateStore

/// Windows, and kill switches that lift themselves: people make, cancel and run them; the clock carries them out.
///
/// Everything that alters a feed goes through the ``Ledger``, in a turn, with the window's new state in the same transaction.
/// Thread-safe.
package struct ScheduleService: Sendable {
    let ledger: Ledger

    package init(ledger: Ledger) { self.ledger = ledger }

    // MARK: Reads

    /// Newest first, up to the query's limit and to what fits in one answer, without targets that the caller may not see, and without
    /// windows of which none would be left.
    /// - Returns: also the documents' texts of windows that the caller may see as a whole, by identifier, as far as they are known; and
    ///   whether there may be more that were left out because the answer was full, not because of the limit.
    package func windows(_ query: WindowQuery, for caller: Caller) throws(ServiceError) -> (
        windows: [Window], texts: [Int: String], isCut: Bool
    ) {
        var query = query
        var found: [Window] = []
        var texts: [Int: String] = [:]
        while found.count < query.limit {
            let page = try ledger.reading { [query] store throws(StoreError) in
                try store.windows(query, bytes: Self.mostBytes, of: caller.scope)
            }
            found += page.records.compactMap { $0.window.seen(by: caller) }
            if caller.scope == .all { for record in page.records { texts[record.window.id] = record.document } }
            guard let last = page.records.last else { break }
            if page.isCut, !found.isEmpty { return (Array(found.prefix(query.limit)), texts, true) }
            guard page.isCut || page.records.count == query.limit else { break }
            query.before = last.window.id
        }
        return (Array(found.prefix(query.limit)), texts, false)
    }

    private static let mostBytes = 1_572_864

    /// Every waiting or running window that the caller may see, in the order in which they come due; from memory.
    package func active(for caller: Caller) -> [Window] { ledger.snapshot.schedule.windows.compactMap { $0.seen(by: caller) } }

    package func window(_ id: Int, for caller: Caller) throws(ServiceError) -> Window {
        guard let seen = try record(id, for: caller).window.seen(by: caller) else { throw .missingWindow(id) }
        return seen
    }

    /// The complete record of a window that the caller is about to change. Whoever may change it is decided by this very record: between
    /// two reads somebody may have made it a window about other apps.
    /// - Throws: `forbidden` unless the caller may change everything that it is about; `unsigned_record` (409) for a window that the server
    ///   did not write.
    func ownRecord(_ id: Int, for caller: Caller) throws(ServiceError) -> WindowRecord {
        let record = try record(id, for: caller)
        try caller.requireFor(record.window)
        guard record.isSigned else { throw ServiceError(StoreError(.unsigned, "windows row \(id) is not as gatehouse left it")) }
        return record
    }

    /// The complete record of a window of which the caller may see at least one target.
    private func record(_ id: Int, for caller: Caller) throws(ServiceError) -> WindowRecord {
        let record = try ledger.reading { store throws(StoreError) in try store.window(id: id) }
        guard let record, record.window.seen(by: caller) != nil else { throw .missingWindow(id) }
        return record
    }

    // MARK: Writes

    /// Plans a window and, unless it is a dry run, stores it. No gate changes before it starts.
    ///
    /// - Parameter answer: makes the answer that is stored with the window under the Idempotency-Key.
    /// - Throws: as ``ChangeService/submit(_:terms:by:idempotency:answer:)``, and `past_time`, `invalid_window`, `too_many_windows`.
    package func make(
        _ draft: WindowDraft,
        terms: WriteTerms,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: @escaping (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(draft.command)
        let result = try ledger.submit(
            NewWindow(ledger: ledger, draft: draft, terms: terms, caller: caller, idempotency: idempotency, answer: answer)
        )
        if !terms.dryRun { ledger.wake() }
        return result
    }

    /// Replaces a window that waits or was missed, or gives a running one another end, in one transaction.
    ///
    /// A running window keeps its targets, rules and start; without an end it is over, and what it did stays.
    /// - Parameter revision: the window's revision that the caller saw.
    /// - Throws: as ``make(_:terms:by:idempotency:answer:)``; `revisionMissing`, `revisionStale`; `conflict` for a window that is over, for
    ///   another start of a running one, and after ``Window/mostEdits`` edits.
    package func replace(
        _ id: Int,
        revision: Int?,
        with draft: WindowDraft,
        terms: WriteTerms,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: @escaping (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(draft.command)
        // Checked before an answer is repeated, because it names the window's targets.
        _ = try ownRecord(id, for: caller)
        let result = try ledger.submit(
            WindowReplacement(
                schedule: self,
                id: id,
                revision: revision,
                draft: draft,
                terms: terms,
                caller: caller,
                idempotency: idempotency,
                answer: answer
            )
        )
        if !terms.dryRun { ledger.wake() }
        return result
    }

    /// Carries out the next step of a window that waits, runs, or was missed, because a person asks for it.
    ///
    /// - Parameters:
    ///   - wanted: which step is meant; a running window is ended only when this says so.
    ///   - revision: the window's that the caller saw; nil runs it whatever it says by now.
    /// - Throws: `conflict` for a window that is over, or whose next step is another one; `revisionStale` when somebody edited it since, or
    ///   changed what it is about; `past_time` when its end is past too; the refusals of any change.
    package func run(
        _ id: Int,
        step wanted: Window.Step? = nil,
        revision: Int? = nil,
        terms: WriteTerms,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: @escaping (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        // Checked before an answer is repeated, because it names the window's targets.
        _ = try ownRecord(id, for: caller)
        return try ledger.submit(
            WindowRun(
                schedule: self,
                id: id,
                wanted: wanted,
                revision: revision,
                terms: terms,
                caller: caller,
                idempotency: idempotency,
                answer: answer
            )
        )
    }

    /// Calls off a window: what has not happened yet will not. Calling it off again changes nothing.
    ///
    /// What a running window did stays for good then. In a protected environment that takes the reason and the phrase of the edit that
    /// takes its end away; elsewhere neither is asked for.
    /// - Parameter revision: the window's that the caller saw; nil calls it off whatever it says by now.
    /// - Throws: `notFound`; `conflict` for one that is over; `revisionStale` when somebody edited it since, or it has begun;
    ///   `reason_required` and `confirmation_required`, with the plan.
    package func cancel(
        _ id: Int,
        revision: Int? = nil,
        terms: WriteTerms = WriteTerms(),
        by caller: Caller
    ) throws(ServiceError) -> Window {
        try ledger.carryOut(WindowCancellation(schedule: self, id: id, revision: revision, terms: terms, caller: caller))
    }
}

extension Window {
    func audit(_ action: String, by caller: Caller, at: Timestamp) -> AuditEntry {
        AuditEntry(
            at: at,
            actor: caller.actor,
            action: action,
            subject: "\(id)",
            address: caller.address.isEmpty ? nil : caller.address,
            requestId: caller.requestId,
            detail: [
                "targets": .array(targets.map { .string($0.key.description) }), "set": set.json, "start": .string(start.at.description),
                "end": end.map { .string($0.at.description) } ?? .null, "detail": events.last?.detail.map(JSONValue.string) ?? .null,
            ]
        )
    }
}

extension Caller {
    /// Requires the operator role for every app that a window is about.
    fileprivate func requireFor(_ window: Window) throws(ServiceError) {
        try require(.operator)
        guard window.targets.allSatisfy({ sees($0.key.app) }) else {
            // The other apps are not named: the caller may not know of them.
            throw ServiceError(.forbidden, "forbidden", "Window \(window.id) is also about apps that \(actor.name) may not touch.")
        }
    }
}

extension ServiceError {
    static func missingWindow(_ id: Int) -> ServiceError { ServiceError(.notFound, "window_not_found", "There is no window \(id).") }

    static func over(_ window: Window) -> ServiceError {
        ServiceError(.conflict, "window_over", "Window \(window.id) is over (\(window.state.rawValue)).")
    }
}
