import GateCrypto
import GateJSON
import GateModel
import GateStore
import Synchronization

extension ChangeService {
    /// What a commit needs besides a prepared step, made before the lock is taken: right as long as nobody is faster.
    struct Ready: Sendable {
        let change: Change
        let spelled: SpelledTargets?
        let feeds: ReadyFeeds
        let answer: Answer
    }

    func ready(_ prepared: PreparedStep, command: Command, reason: String?, caller: Caller, answer: (Outcome) -> Answer) -> Ready {
        let change = Self.change(prepared, reason: reason, caller: caller)
        // Without it the hash is made with the commit: a head that cannot be read is a failure there.
        let head = try? store?.chainHead()
        let spelled = head.flatMap { $0.sequence == change.sequence - 1 ? prepared.spelled?.linked(to: change, after: $0) : nil } ?? prepared.spelled
        return Ready(change: change, spelled: spelled, feeds: sink.ready(prepared.published), answer: answer(Self.outcome(change, prepared, command)))
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

    /// A planner over a catalog and the history behind it, for this moment.
    func planner(_ catalog: Catalog) -> Planner {
        Planner(
            catalog: catalog,
            environment: environment,
            now: now(),
            history: { [self] target, revision throws(ServiceError) in
                if catalog.target(target)?.revision == revision { return catalog.target(target)?.gate }
                guard let found = try reading({ store throws(StoreError) in try store.gate(of: target, revision: revision) }) else { return nil }
                guard let gate = found.gate else { throw .unreadable(target, revision) }
                return gate
            },
            news: { [self] sequence in state.withLock { $0.recent.after(sequence, newest: catalog.sequence, limit: .max)?.changes } },
            polls: pollRecord
        )
    }

    /// Commits and publishes a step. The caller holds ``writing``, and ``state`` is what `snapshot` says.
    /// - Parameters:
    ///   - windows: what becomes of windows with the change of that sequence, in the same transaction.
    ///   - ready: what was made of the step before; made now when that is not right any more.
    func commit(
        _ prepared: PreparedStep,
        command: Command,
        reason: String?,
        caller: Caller,
        idempotency: IdempotencyKey?,
        snapshot: Snapshot,
        windows: (_ sequence: Int, _ at: Timestamp) -> [WindowRecord] = { _, _ in [] },
        ready: Ready? = nil,
        answer: (Outcome) -> Answer
    ) throws(ServiceError) -> Answer {
        let store = try writableStore()
        let catalog = snapshot.catalog
        let prepared = prepared.moved(to: catalog.sequence + 1, at: now())
        let (step, published, sequence, at) = (prepared.step, prepared.published, prepared.sequence, prepared.at)
        let ready = ready.flatMap { $0.change.sequence == sequence ? $0 : nil }
        let change = ready?.change ?? Self.change(prepared, reason: reason, caller: caller)
        let records = windows(sequence, at)
        let result = ready?.answer ?? answer(Self.outcome(change, prepared, command))
        let record = idempotency.map { IdempotencyRecord($0, of: caller, answer: result, at: at) }
        do {
            try store.commit(
                Commit(
                    change: change, apps: step.apps, removedApps: step.removedApps, removedTargets: step.removedTargets, idempotency: record, windows: records,
                    authority: caller.authority, spelled: ready?.spelled ?? prepared.spelled
                )
            )
        } catch {
            note(error)
            var refusal = ServiceError(error)
            refusal.target = step.inWords
            throw refusal
        }
        (ready?.feeds ?? sink.ready(published)).publish()
        folder.remember(published)
        // Readers take the same lock: nothing is worked out under it.
        let schedule = records.isEmpty ? snapshot.schedule : snapshot.schedule.applying(records)
        state.withLock { state in
            state.lastPublished = at
            state.catalog.apply(step, sequence: sequence)
            state.schedule = schedule
            state.recent.append(change, bytes: step.bytes)
            state.lastChanges.take(change, bytes: step.bytes)
            state.troubles[.database] = nil
        }
        tell(change)
        tell(records)
        // Looking for the next moment costs a walk over all targets, so only a change that brings a moment asks for it.
        if !records.isEmpty || change.targets.contains(where: { $0.after.killSwitch?.until != nil }) { wake() }
        return result
    }

    /// Keeps an answer that comes with no change: asked again after somebody else's change, the same request must not do what it did not.
    func keep(_ answer: Answer, under idempotency: IdempotencyKey?, of caller: Caller) throws(ServiceError) {
        guard let idempotency else { return }
        let store = try writableStore()
        do {
            try store.saveIdempotency(IdempotencyRecord(idempotency, of: caller, answer: answer, at: now()))
        } catch {
            note(error)
            throw ServiceError(error)
        }
    }

    /// The answer that the caller's key got before, or nil; ``submit(_:terms:by:idempotency:answer:)`` asks by itself.
    /// - Throws: `idempotencyKeyReused` when that was another request.
    package func repeated(_ idempotency: IdempotencyKey?, by caller: Caller) throws(ServiceError) -> Answer? {
        guard let idempotency else { return nil }
        let record = try reading { store throws(StoreError) in try store.idempotencyRecord(actor: caller.keyOwner, key: idempotency.key) }
        guard let record else { return nil }
        guard record.requestDigest == SHA256Digest(of: idempotency.request) else {
            throw ServiceError(
                .idempotencyKeyReused,
                "idempotency_key_reused",
                "This Idempotency-Key was used for another request within the last 24 hours; take a new one."
            )
        }
        return Answer(status: record.status, body: record.body)
    }

    func writableStore() throws(ServiceError) -> Store {
        let (store, troubles) = state.withLock { ($0.store, $0.troubles) }
        if troubles.isStarting {
            throw ServiceError(.starting, "starting", "The history is still being checked after the start; try again in a moment.", retryAfter: 1)
        }
        if let fault = troubles[.history] {
            throw ServiceError(.unavailable, "history_damaged", "The history is damaged (\(fault)), so nothing can be changed. Stop the server and run gatehouse verify.", retryAfter: 60)
        }
        guard let store else { throw unavailable() }
        return store
    }

    func unavailable() -> ServiceError {
        ServiceError(.unavailable, "database_unavailable", "The database cannot be read; feeds go on with their last state. See the server's log.", retryAfter: 5)
    }

    /// Remembers what a failed write says about the database; the next write that works, or the housekeeper's look, clears it.
    func note(_ error: StoreError) {
        switch error.code {
        case .full, .readOnly, .busy, .io, .corrupt, .unreadable: state.withLock { $0.troubles[.database] = Health.reason(error) }
        default: break
        }
    }

    /// The reason, telling that there are apps which the change has no place to name. How many and not which: who reads it may not be
    /// allowed to see them all. What became of each stands in the history's own row.
    static func reason(_ reason: String?, telling apps: [AppKey]) -> String? {
        guard apps.count > 1 else { return reason }
        return [reason, "(and \(apps.count - 1) more \(apps.count == 2 ? "app" : "apps"))"].compactMap { $0 }.joined(separator: " ")
    }
}
