import GateCrypto
import GateJSON
package import GateModel
import GateStore
import Synchronization

/// Windows and kill switches that lift themselves: made, called off and run by people, carried out by the clock.
///
/// Everything that alters a feed goes through ``ChangeService``, under its lock and with the window's new state in the same transaction.
/// Thread-safe.
package final class ScheduleService: Sendable {
    let changes: ChangeService

    package init(changes: ChangeService) { self.changes = changes }

    // MARK: Reads

    /// Newest first, at most the query's limit, leaving out windows of which the caller may see no target, and targets that they may not see.
    package func windows(_ query: WindowQuery, for caller: Caller) throws(ServiceError) -> [Window] {
        var query = query
        var found: [Window] = []
        while found.count < query.limit {
            let page = try changes.reading { store throws(StoreError) in try store.windows(query) }
            found += page.compactMap { $0.window.seen(by: caller) }
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.window.id
        }
        return Array(found.prefix(query.limit))
    }

    package func window(_ id: Int, for caller: Caller) throws(ServiceError) -> Window {
        guard let seen = try record(id, for: caller).window.seen(by: caller) else { throw .missingWindow(id) }
        return seen
    }

    /// The whole of a window of which the caller may see a target.
    private func record(_ id: Int, for caller: Caller) throws(ServiceError) -> WindowRecord {
        let record = try changes.reading { store throws(StoreError) in try store.window(id: id) }
        guard let record, record.window.seen(by: caller) != nil else { throw .missingWindow(id) }
        return record
    }

    // MARK: Writes

    /// Plans a window and, unless it is a trial, keeps it. No gate changes before it starts.
    ///
    /// - Parameter answer: makes the answer that is kept under the Idempotency-Key with the window.
    /// - Throws: as ``ChangeService/submit(_:terms:by:idempotency:answer:)``, and `past_time`, `invalid_window`, `too_many_windows`.
    package func make(
        _ draft: WindowDraft, terms: WriteTerms, by caller: Caller, idempotency: IdempotencyKey?, answer: (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(draft.command)
        let result = try changes.writing.withLock { _ throws(ServiceError) in
            if !terms.dryRun, let repeated = try changes.repeated(idempotency, by: caller) { return repeated }
            let (catalog, schedule) = changes.state.withLock { ($0.catalog, $0.schedule) }
            let planner = changes.planner(catalog)
            let step = try WindowPlanner(planner: planner, schedule: schedule).plan(draft, terms: terms)
            func window(_ id: Int, reason: String?) -> Window {
                Window(
                    draft, id: id, by: caller.actor, source: caller.source, reason: reason, accept: step.accepted, at: planner.now, catalog: catalog
                )
            }
            if terms.dryRun { return answer(WindowOutcome(window: window(0, reason: terms.reason), change: nil, plan: step.plan, isDryRun: true)) }
            let made = window(schedule.lastID + 1, reason: try ChangeService.reason(terms, plan: step.plan, accepted: step.accepted))
            let result = answer(WindowOutcome(window: made, change: nil, plan: step.plan, isDryRun: false))
            try save(schedule.records([made]), audit: [made.audit("window.created", by: caller, at: planner.now)], key: idempotency, of: caller, answer: result)
            return result
        }
        changes.wake()
        return result
    }

    /// Calls a window off: what has not happened yet will not. Called off twice, it is called off.
    /// - Throws: `notFound`; `conflict` for one that is over.
    package func cancel(_ id: Int, reason: String?, by caller: Caller) throws(ServiceError) -> Window {
        try changes.writing.withLock { _ throws(ServiceError) in
            let record = try record(id, for: caller)
            try caller.requireFor(record.window)
            let window = record.window
            if window.state == .cancelled { return window }
            guard window.state.isActive || window.state == .missed else { throw .over(window) }
            let note = try ChangeService.reason(WriteTerms(reason: reason), plan: .nothing, accepted: [])
            let cancelled = window.ended(as: .cancelled, .cancelled, by: caller.actor, at: changes.now(), because: note)
            let schedule = changes.state.withLock { $0.schedule }
            try save(
                schedule.records([cancelled], read: record), audit: [cancelled.audit("window.cancelled", by: caller, at: changes.now())], key: nil, of: caller, answer: nil
            )
            return cancelled
        }
    }

    /// Carries out the next step of a window that waits, or that was missed, at a person's word.
    ///
    /// - Throws: `conflict` for a window that is over; `revisionStale` when a person changed what it is about; `past_time` when its end is
    ///   past too; what every change is refused for.
    package func run(
        _ id: Int, terms: WriteTerms, by caller: Caller, idempotency: IdempotencyKey?, answer: (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try changes.writing.withLock { _ throws(ServiceError) in
            if !terms.dryRun, let repeated = try changes.repeated(idempotency, by: caller) { return repeated }
            let record = try record(id, for: caller)
            let window = record.window
            try caller.requireFor(window)
            let (catalog, schedule) = changes.state.withLock { ($0.catalog, $0.schedule) }
            let planner = changes.planner(catalog)
            guard window.state == .pending || window.state == .missed else { throw .over(window) }
            if !window.hasStarted, let end = window.end, end.at <= planner.now { throw .past(end.at, now: planner.now, at: "/end") }
            let next = WindowStep(window, catalog: catalog, now: planner.now)
            if !next.left.isEmpty { throw .stale(window, next) }
            var terms = terms
            terms.accept += window.accept
            terms.reason = terms.reason ?? window.reason
            let step = try next.command.map { command throws(ServiceError) in try planner.plan(command, terms: terms) } ?? Step(plan: .nothing, kind: .set)
            if terms.dryRun { return answer(WindowOutcome(window: window, change: nil, plan: step.plan, isDryRun: true)) }
            let reason = try ChangeService.reason(terms, plan: step.plan, accepted: step.accepted)
            return try carryOut(next, step, record: record, reason: reason, by: caller, idempotency: idempotency, catalog: catalog, schedule: schedule, answer: answer)
        }
    }

    // MARK: One transaction

    /// Commits a step with what becomes of its window and of those that it overtakes. The caller holds the lock.
    @discardableResult
    func carryOut(
        _ next: WindowStep, _ step: Step, record: WindowRecord, reason: String?, by caller: Caller, idempotency: IdempotencyKey?, catalog: Catalog, schedule: Schedule,
        answer: (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        guard let command = next.command, !step.changesNothing else {
            let window = next.done([], catalog: catalog, by: caller.actor, at: changes.now(), sequence: nil)
            let result = answer(WindowOutcome(window: window, change: nil, plan: step.plan, isDryRun: false))
            try save(schedule.records([window], read: record), audit: [], key: idempotency, of: caller, answer: result)
            return result
        }
        var after = record.window
        return try changes.commit(
            step, command: command, reason: reason, caller: caller, idempotency: idempotency, catalog: catalog,
            windows: { sequence, at in
                after = next.done(step.targets, catalog: catalog, by: caller.actor, at: at, sequence: sequence)
                let because = "Window \(after.id) \(next.isStart ? "started" : "ended") and changed what this one is about."
                let others = schedule.overtaken(by: step.targets, except: after.id, by: caller.actor, at: at, sequence: sequence, because: because)
                return schedule.records([after] + others, read: record)
            },
            answer: { outcome in answer(WindowOutcome(window: after, change: outcome.change, plan: outcome.plan, isDryRun: false)) }
        )
    }

    /// Writes windows that no change comes with. The caller holds the lock.
    func save(
        _ records: [WindowRecord], audit: [AuditEntry], key: IdempotencyKey?, of caller: Caller, answer: Answer?
    ) throws(ServiceError) {
        let store = try changes.writableStore()
        let kept = key.flatMap { key in answer.map { IdempotencyRecord(key, of: caller, answer: $0, at: changes.now()) } }
        do { try store.save(records, audit: audit, idempotency: kept, by: caller.authority) } catch {
            changes.note(error)
            var refusal = ServiceError(error)
            refusal.target = records.prefix(5).map { "window \($0.window.id)" }.joined(separator: ", ")
            throw refusal
        }
        changes.state.withLock { $0.schedule.apply(records) }
    }
}

extension Window {
    func audit(_ action: String, by caller: Caller, at: Timestamp) -> AuditEntry {
        AuditEntry(
            at: at, actor: caller.actor, action: action, subject: "\(id)", address: caller.address.isEmpty ? nil : caller.address, requestId: caller.requestId,
            detail: [
                "targets": .array(targets.map { .string($0.key.description) }), "set": set.json, "start": .string(start.at.description),
                "end": end.map { .string($0.at.description) } ?? .null, "detail": events.last?.detail.map(JSONValue.string) ?? .null,
            ]
        )
    }
}

extension Caller {
    /// Operators of every app that a window is about.
    func requireFor(_ window: Window) throws(ServiceError) {
        try require(.operator)
        guard window.targets.allSatisfy({ sees($0.key.app) }) else {
            // Without their names, which are none of the caller's business.
            throw ServiceError(.forbidden, "forbidden", "Window \(window.id) is also about apps that \(actor.name) may not touch.")
        }
    }
}

extension ServiceError {
    static func missingWindow(_ id: Int) -> ServiceError { ServiceError(.notFound, "window_not_found", "There is no window \(id).") }

    static func over(_ window: Window) -> ServiceError {
        let why = window.state == .running ? "is running; cancel it, or change the gates themselves" : "is over (\(window.state.rawValue))"
        return ServiceError(.conflict, "window_over", "Window \(window.id) \(why).")
    }

    static func stale(_ window: Window, _ step: WindowStep) -> ServiceError {
        var error = ServiceError(.revisionStale, "stale_window", "Window \(window.id) was made for what is not there any more: \(step.leftInWords) Make it anew.")
        error.current = step.conflict
        return error
    }
}
