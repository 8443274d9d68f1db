import GateCrypto
import GateJSON
import GateModel
import GateStore

extension Ledger {
    /// What a commit needs besides a prepared step. Made before the lock is taken, and valid as long as nobody else commits first.
    struct Ready: Sendable {
        let change: Change
        let spelled: SpelledTargets?
        let feeds: ReadyFeeds
        let answer: Answer
    }

    func ready(_ prepared: PreparedStep, command: Command, reason: String?, caller: Caller, answer: (Outcome) -> Answer) -> Ready {
        let change = Self.change(prepared, reason: reason, caller: caller)
        // Without a head, the hash is computed during the commit, where an unreadable head is reported as a failure.
        let head = try? store?.chainHead()
        let spelled =
            head.flatMap { $0.sequence == change.sequence - 1 ? prepared.spelled?.linked(to: change, after: $0) : nil } ?? prepared.spelled
        return Ready(
            change: change,
            spelled: spelled,
            feeds: sink.ready(prepared.published),
            answer: answer(Self.outcome(change, prepared, command))
        )
    }

    static func change(_ prepared: PreparedStep, reason: String?, caller: Caller) -> Change {
        Change(
            sequence: prepared.sequence,
            at: prepared.at,
            actor: caller.actor,
            source: caller.source,
            kind: prepared.step.kind,
            reason: reason,
            requestId: caller.requestId,
            app: prepared.step.app,
            targets: prepared.targets
        )
    }

    static func outcome(_ change: Change, _ prepared: PreparedStep, _ command: Command) -> Outcome {
        let step = prepared.step
        let app = step.apps.first { $0.key == command.app }
        return Outcome(change: change, plan: step.plan, isDryRun: false, app: app, plannedAt: prepared.sequence - 1, bytes: step.bytes)
    }

    /// Commits and publishes a step that was planned on the current state.
    /// - Parameters:
    ///   - windows: the windows that the change with that sequence alters, written in the same transaction.
    ///   - audit: what the audit tells of them; asked after `windows`.
    ///   - ready: what was prepared for the step; made again here when it is no longer right.
    func commit(
        _ prepared: PreparedStep,
        command: Command,
        reason: String?,
        caller: Caller,
        idempotency: IdempotencyKey?,
        in turn: borrowing Turn,
        windows: (_ sequence: Int, _ at: Timestamp) throws(ServiceError) -> [WindowRecord] = { _, _ in [] },
        audit: () -> [AuditEntry] = { [] },
        ready: Ready? = nil,
        answer: (Outcome) -> Answer
    ) throws(ServiceError) -> Answer {
        let store = try writableStore()
        let (catalog, schedule) = look { ($0.catalog, $0.schedule) }
        let prepared = prepared.moved(to: catalog.sequence + 1, at: now())
        let (step, published, sequence, at) = (prepared.step, prepared.published, prepared.sequence, prepared.at)
        let ready = ready.flatMap { $0.change.sequence == sequence ? $0 : nil }
        let change = ready?.change ?? Self.change(prepared, reason: reason, caller: caller)
        let records = try windows(sequence, at)
        let result = ready?.answer ?? answer(Self.outcome(change, prepared, command))
        let record = idempotency.map { IdempotencyRecord($0, of: caller, answer: result, at: at) }
        let hash: SHA256Digest
        do {
            hash = try store.commit(
                Commit(
                    change: change,
                    apps: step.apps,
                    removedApps: step.removedApps,
                    removedTargets: step.removedTargets,
                    ownFeeds: step.ownFeeds,
                    idempotency: record,
                    windows: records,
                    audit: audit(),
                    authority: caller.authority,
                    spelled: ready?.spelled ?? prepared.spelled
                )
            )
        } catch {
            note(error)
            throw ServiceError(error).with(\.target, step.inWords)
        }
        (ready?.feeds ?? sink.ready(published)).publish()
        folder.remember(published, upTo: sequence)
        let newSchedule = records.isEmpty ? schedule : schedule.applying(records)
        alter(in: turn) { state in
            state.lastPublished = at
            state.catalog.apply(step, sequence: sequence, head: ChainHead(sequence: sequence, hash: hash))
            state.schedule = newSchedule
            state.recent.append(change, bytes: step.bytes)
            state.lastChanges.take(change, bytes: step.bytes)
            state.troubles[.database] = nil
            state.troubles[.otherWriter] = nil
        }
        tell(change)
        tell(records)
        // Finding the next due moment costs a walk over all targets, so the clock is woken only for changes that add a moment.
        if !records.isEmpty || change.targets.contains(where: { $0.after.killSwitch?.until != nil }) { wake() }
        return result
    }

    /// Writes windows without a change.
    /// - Parameters:
    ///   - read: the record read from the database, for a window that is not active.
    ///   - kept: the answer to store, for a request that may be repeated.
    func commit(
        _ windows: [Window],
        read: WindowRecord? = nil,
        audit: [AuditEntry],
        by caller: Caller,
        keeping kept: (key: IdempotencyKey?, answer: Answer)? = nil,
        in turn: borrowing Turn
    ) throws(ServiceError) {
        let store = try writableStore()
        let schedule = look(\.schedule)
        let records = schedule.records(windows, read: read)
        let record = kept.flatMap { kept in kept.key.map { IdempotencyRecord($0, of: caller, answer: kept.answer, at: now()) } }
        let known = store.isShared ? look(\.catalog.sequence) : nil
        do { try store.save(records, audit: audit, idempotency: record, by: caller.authority, after: known) } catch {
            note(error)
            throw ServiceError(error).with(\.target, records.prefix(5).map { "window \($0.window.id)" }.joined(separator: ", "))
        }
        let newSchedule = schedule.applying(records)
        alter(in: turn) { $0.schedule = newSchedule }
        tell(records)
    }

    func writableStore() throws(ServiceError) -> Store {
        let (store, troubles) = look { ($0.reachableStore, $0.troubles) }
        try Self.requireCheckedHistory(troubles)
        guard let store else { throw unavailable() }
        return store
    }

    /// Until its history has been found whole, an older database may have been put in place of the one that phones were told about: what is
    /// published may be something else than what stands in it.
    func requireCheckedHistory() throws(ServiceError) { try Self.requireCheckedHistory(look(\.troubles)) }

    private static func requireCheckedHistory(_ troubles: Troubles) throws(ServiceError) {
        if troubles.isStarting {
            throw ServiceError(
                .starting,
                "starting",
                "The history is still being checked after the start; try again in a moment.",
                retryAfter: 1
            )
        }
        if let fault = troubles[.history] { throw damaged(fault) }
    }

    static func damaged(_ fault: String) -> ServiceError {
        ServiceError(
            .unavailable,
            "history_damaged",
            "The history is damaged (\(fault)), so nothing can be changed. Stop the server and run gatehouse verify.",
            retryAfter: 60
        )
    }

    func unavailable() -> ServiceError {
        ServiceError(
            .unavailable,
            "database_unavailable",
            "The database cannot be read; feeds go on with their last state. See the server's log.",
            retryAfter: 5
        )
    }
}
