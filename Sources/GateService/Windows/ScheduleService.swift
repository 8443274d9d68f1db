import GateCrypto
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
    /// - Returns: also whether there may be more that were left out because the answer was full, not because of the limit.
    package func windows(_ query: WindowQuery, for caller: Caller) throws(ServiceError) -> (windows: [Window], isCut: Bool) {
        var query = query
        var found: [Window] = []
        while found.count < query.limit {
            let page = try ledger.reading { [query] store throws(StoreError) in
                try store.windows(query, bytes: Self.mostBytes, of: caller.scope)
            }
            found += page.records.compactMap { $0.window.seen(by: caller) }
            guard let last = page.records.last else { break }
            if page.isCut, !found.isEmpty { return (Array(found.prefix(query.limit)), true) }
            guard page.isCut || page.records.count == query.limit else { break }
            query.before = last.window.id
        }
        return (Array(found.prefix(query.limit)), false)
    }

    private static let mostBytes = 1_572_864

    /// Every waiting or running window that the caller may see, in the order in which they come due; from memory.
    package func active(for caller: Caller) -> [Window] { ledger.snapshot.schedule.windows.compactMap { $0.seen(by: caller) } }

    package func window(_ id: Int, for caller: Caller) throws(ServiceError) -> Window {
        guard let seen = try record(id, for: caller).window.seen(by: caller) else { throw .missingWindow(id) }
        return seen
    }

    /// The complete record of a window that the caller is about to change.
    /// - Throws: `unsigned_record` (409) for a window that the server did not write.
    func ownRecord(_ id: Int, for caller: Caller) throws(ServiceError) -> WindowRecord {
        let record = try record(id, for: caller)
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
        answer: (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(draft.command)
        let effects = EffectMemory()
        /// The window without an identifier.
        func plan(on snapshot: Snapshot, isHeld: Bool = false) throws(ServiceError) -> (plan: Plan, window: Window) {
            var planner = ledger.planner(snapshot.catalog)
            planner.limitEffects(isHeld: isHeld, memory: effects)
            var step = try WindowPlanner(planner: planner, schedule: snapshot.schedule, maker: caller.actor).plan(draft, terms: terms)
            effects.settle(&step.plan, isHeld: isHeld)
            let reason = terms.dryRun ? terms.reason : try terms.cleanReason(for: step.plan, accepted: step.accepted)
            let window = Window(
                draft,
                id: 0,
                by: caller.actor,
                source: caller.source,
                reason: reason,
                accept: step.accepted,
                at: planner.now,
                catalog: snapshot.catalog
            )
            return (step.plan.fitting(Plan.mostBytes), window)
        }
        if terms.dryRun {
            let (plan, window) = try plan(on: ledger.newestSnapshot)
            return answer(WindowOutcome(window: window, change: nil, plan: plan, isDryRun: true))
        }
        let result = try ledger.written(by: caller, under: idempotency) { () throws(ServiceError) in
            try ledger.planned { snapshot, isHeld throws(ServiceError) in
                try plan(on: snapshot, isHeld: isHeld)
            } holds: { draft, before, now in
                now.agrees(with: before, about: Set(draft.window.targets.map(\.key.app)))
            } carryOut: { draft, snapshot, turn throws(ServiceError) in
                try ledger.requireFirst(idempotency, by: caller)
                var made = draft.window
                made.id = snapshot.schedule.lastID + 1
                let result = answer(WindowOutcome(window: made, change: nil, plan: draft.plan, isDryRun: false))
                let entry = made.audit("window.created", by: caller, at: ledger.now())
                try ledger.commit([made], audit: [entry], by: caller, keeping: (idempotency, result), in: turn)
                return result
            }
        }
        ledger.wake()
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
        answer: (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        let effects = EffectMemory()
        func plan(on snapshot: Snapshot, isHeld: Bool = false) throws(ServiceError) -> WindowStep.Planned {
            let record = try ownRecord(id, for: caller)
            let window = record.window
            if window.fault != nil { throw .unreadable(window) }
            for target in window.targets { try snapshot.catalog.requireReadable(target.key.app) }
            var planner = ledger.planner(snapshot.catalog)
            planner.limitEffects(isHeld: isHeld, memory: effects)
            try window.require(wanted)
            if let revision { try window.requireRevision(revision) }
            if !window.hasStarted, let end = window.end, end.at <= planner.now { throw .past(end.at, now: planner.now, at: "/end") }
            let next = WindowStep(window, catalog: snapshot.catalog, now: planner.now)
            // At an end, what a person changed meanwhile stays, as when the clock ends it.
            if !next.left.isEmpty, next.isStart { throw .stale(window, next) }
            var terms = terms
            terms.accept += window.accept
            var (rest, command, step) = try next.planned(by: planner, terms: terms)
            effects.settle(&step.plan, isHeld: isHeld)
            if !rest.left.isEmpty {
                let detail = rest.leftInWords(after: step.targets, catalog: snapshot.catalog)
                step.plan = step.plan.adding([Warning(code: "window_left", detail: detail)])
            }
            step.plan = step.plan.fitting()
            let reason = terms.dryRun ? nil : try terms.cleanReason(for: step.plan, accepted: step.accepted, orAs: window)
            return try planned(rest, of: record, as: command, step, because: reason, by: caller, on: snapshot, isWritten: !terms.dryRun)
        }
        // Checked before an answer is repeated, because it names the window's targets.
        try caller.requireFor(try ownRecord(id, for: caller).window)
        if terms.dryRun {
            let planned = try plan(on: ledger.newestSnapshot)
            return answer(
                WindowOutcome(window: planned.record.window.told(to: caller), change: nil, plan: planned.step.step.plan, isDryRun: true)
            )
        }
        return try ledger.written(by: caller, under: idempotency) { () throws(ServiceError) in
            try ledger.planned { snapshot, isHeld throws(ServiceError) in
                try plan(on: snapshot, isHeld: isHeld)
            } holds: { planned, before, now in
                now.agrees(with: before, about: planned.apps)
            } carryOut: { planned, snapshot, turn throws(ServiceError) in
                try ledger.requireFirst(idempotency, by: caller)
                return try carryOut(planned, by: caller, idempotency: idempotency, on: snapshot, in: turn, answer: answer)
            }
        }
    }

    // MARK: One transaction

    /// A step with everything that its commit needs, including the windows it alters, of which there may be a thousand.
    /// - Parameter isWritten: false for a dry run.
    func planned(
        _ next: WindowStep,
        of record: WindowRecord,
        as command: Command?,
        _ step: Step,
        because reason: String?,
        by caller: Caller,
        on snapshot: Snapshot,
        isWritten: Bool = true
    ) throws(ServiceError) -> WindowStep.Planned {
        let prepared = try PreparedStep(step, sequence: snapshot.catalog.sequence + 1, at: ledger.now())
        var windows: [SpelledWindow] = []
        if isWritten, command != nil, !step.changesNothing {
            let (targets, sequence) = (prepared.step.targets, prepared.sequence)
            windows = try next.windows(after: targets, on: snapshot, by: caller.actor, at: prepared.at, sequence: sequence).spelled()
        }
        return WindowStep.Planned(record: record, next: next, command: command, step: prepared, reason: reason, windows: windows)
    }

    /// Commits a step, together with the changes to its window and to those it overtakes.
    @discardableResult
    func carryOut(
        _ planned: WindowStep.Planned,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        on snapshot: Snapshot,
        in turn: borrowing Turn,
        answer: (WindowOutcome) -> Answer
    ) throws(ServiceError) -> Answer {
        let (record, next, step) = (planned.record, planned.next, planned.step.step)
        let (catalog, schedule) = (snapshot.catalog, snapshot.schedule)
        guard let command = planned.command, !step.changesNothing else {
            let windows = next.windows(after: [], on: snapshot, by: caller.actor, at: ledger.now(), sequence: nil)
            let result = answer(WindowOutcome(window: windows[0].told(to: caller), change: nil, plan: step.plan, isDryRun: false))
            let entries = windows[0].troubleAudit(by: caller, at: ledger.now())
            try ledger.commit(windows, read: record, audit: entries, by: caller, keeping: (idempotency, result), in: turn)
            return result
        }
        var after = record.window
        return try ledger.commit(
            planned.step,
            command: command,
            reason: planned.reason,
            caller: caller,
            idempotency: idempotency,
            in: turn,
            windows: { sequence, at throws(ServiceError) in
                var windows = planned.windows
                if sequence != planned.step.sequence {
                    let own = next.done(step.targets, catalog: catalog, by: caller.actor, at: at, sequence: sequence)
                    windows = try [own].spelled() + windows.dropFirst().map { $0.moved(to: sequence, at: at) }
                }
                after = windows[0].window
                return schedule.records(windows, read: record)
            },
            audit: { after.troubleAudit(by: caller, at: ledger.now()) },
            answer: { outcome in
                answer(
                    WindowOutcome(
                        window: after.told(to: caller),
                        change: outcome.change,
                        bytes: outcome.bytes,
                        plan: outcome.plan,
                        isDryRun: false
                    )
                )
            }
        )
    }
}

extension Window {
    /// - Throws: `conflict` when the next step is not the one meant.
    fileprivate func require(_ wanted: Step?) throws(ServiceError) {
        guard state.isActive || state == .missed else { throw .over(self) }
        if state == .running, wanted == nil {
            throw ServiceError(.conflict, "window_over", "Window \(id) is already running. To end it now, say \"step\": \"end\".")
        }
        switch (wanted, hasStarted) {
        case (.start, true): throw ServiceError(.conflict, "window_running", "Window \(id) has started already.", field: "/step")
        case (.end, false):
            throw ServiceError(.conflict, "window_waits", "Window \(id) has not started; cancel it, or let it be.", field: "/step")
        default: return
        }
    }

    /// What the audit tells of a step after which the window has failed or was missed; nothing for any other.
    fileprivate func troubleAudit(by caller: Caller, at: Timestamp) -> [AuditEntry] {
        switch state {
        case .failed, .missed: [audit("window.\(state.rawValue)", by: caller, at: at)]
        case .pending, .running, .done, .cancelled: []
        }
    }

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
    func requireFor(_ window: Window) throws(ServiceError) {
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

    static func stale(_ window: Window, _ step: WindowStep) -> ServiceError {
        var error = ServiceError(
            .revisionStale,
            "stale_window",
            "Window \(window.id) was made for a state that has changed since: \(step.leftInWords) Make it again."
        )
        error.current = step.conflict
        return error
    }
}
