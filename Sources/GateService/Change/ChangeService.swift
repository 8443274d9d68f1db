import GateCrypto
import GateFeeds
package import GateJSON
package import GateModel
package import GateStore
import Synchronization

/// The one way by which anything that alters a feed is changed: plan, commit, publish.
///
/// Thread-safe. Reads come from memory and never wait for a write; writes are one at a time, and one lock is held over commit and
/// publication, so that feeds appear in the order of the history.
package final class ChangeService: Sendable {
    package let environment: Environment
    let now: @Sendable () -> Timestamp
    private let sink: any FeedSink
    package let folder: PublicationFolder
    /// Where failures are told that nobody is told of in an answer.
    package let failures: FailureLog
    let writing = Mutex<Void>(())
    let state: Mutex<State>
    private let alarm = Mutex<(@Sendable () -> Void)?>(nil)

    struct State: Sendable {
        var catalog = Catalog()
        var schedule = Schedule()
        var recent = RecentChanges([], floor: 0)
        var lastChanges: [Int: Change] = [:]
        var troubles = Troubles()
        /// Nil while the database cannot be opened.
        var store: Store?
        var lastPublished: Timestamp?
        /// Apps that are served as they were published last, until the database says which there are.
        var provisional: [AppKey] = []

        /// Keeps a change at hand for whoever looks at one of its targets; of a long run not all of them.
        mutating func remember(_ change: Change) {
            if lastChanges.count > 20_000 { lastChanges = [:] }
            lastChanges[change.sequence] = change
        }
    }

    package init(
        environment: Environment, folder: PublicationFolder, sink: any FeedSink, failures: FailureLog = .none, now: @escaping @Sendable () -> Timestamp
    ) {
        self.environment = environment
        self.folder = folder
        self.failures = failures
        self.sink = sink
        self.now = now
        state = Mutex(State())
    }

    // MARK: Start

    /// Reads everything from the store, renders and publishes it. The database wins over what was published before.
    /// - Throws: what reading it throws; `corrupt` for what cannot be published, so that the last feeds are served instead.
    package func start(with store: Store) throws(StoreError) {
        try writing.withLock { _ throws(StoreError) in
            let stored = try store.loadState()
            let catalog = Catalog(stored)
            let schedule = Schedule(try store.loadSchedule())
            let recent = try store.changes(ChangeQuery(limit: 200))
            let gone = state.withLock { $0.provisional }.filter { catalog.apps[$0] == nil }
            var published: [(key: AppKey, app: PublishedApp?)] = gone.map { ($0, nil) }
            for app in catalog.apps.values.sorted(by: { $0.key < $1.key }) {
                do throws(ServiceError) { published.append((app.key, try PublishedApp(rendering: app))) } catch { throw StoreError(.corrupt, error.detail) }
            }
            sink.publish(published)
            folder.remember(published)
            do throws(StoreError) {
                try folder.forgetOthers(than: Set(catalog.apps.values.map(\.key)))
                failures.worked(.oldPublication)
            } catch { failures.failed(.oldPublication, error) }
            state.withLock { state in
                state.catalog = catalog
                state.schedule = schedule
                state.recent = RecentChanges(recent.reversed(), floor: (recent.last?.sequence ?? stored.lastSequence + 1) - 1)
                state.lastPublished = recent.first?.at
                state.store = store
                state.provisional = []
                // A database that comes back late has to be checked as well before anything is written to it.
                state.troubles.isStarting = true
                state.troubles[.database] = nil
                state.troubles[.keptFeeds] = nil
            }
        }
    }

    /// Serves what was published last, because the database cannot be read; writes are refused until ``start(with:)``.
    /// - Returns: files that were damaged and left out.
    package func startFromPublication(because error: StoreError) -> [String] {
        var (apps, damaged): ([PublishedApp], [String]) = ([], [])
        do throws(StoreError) { (apps, damaged) = try folder.load() } catch {
            failures.failed(.keptFeeds, error)
            damaged = ["all apps"]
        }
        sink.publish(apps.map { ($0.key, $0) })
        state.withLock { state in
            state.troubles.isStarting = false
            state.troubles[.database] = Health.reason(error)
            state.provisional = apps.map(\.key)
            state.troubles[.keptFeeds] = damaged.isEmpty ? nil : "damaged: publication of \(damaged.joined(separator: ", "))"
        }
        return damaged
    }

    /// Takes the store out of use, so that it can be closed; feeds go on, writes are refused until ``start(with:)``. Waits for a write that is
    /// under way.
    package func suspend(because error: StoreError) {
        writing.withLock { _ in
            state.withLock { state in
                state.store = nil
                state.troubles[.database] = Health.reason(error)
            }
        }
    }

    /// The history has been checked: writes may begin, or must not.
    package func historyChecked(fault: String?) {
        state.withLock { state in
            state.troubles.isStarting = false
            state.troubles[.history] = fault
        }
        wake()
    }

    // MARK: Reads

    package var health: Health { state.withLock { $0.troubles.health } }

    package var sequence: Int { state.withLock { $0.catalog.sequence } }

    /// Counts everything that happens to any window; who sees another number fetches the windows anew.
    package var scheduleVersion: Int { state.withLock { $0.schedule.version } }

    /// When the last change was published; nil before the first one, and while that cannot be read.
    package var lastPublished: Timestamp? { state.withLock { $0.lastPublished } }

    /// Size of the database's write-ahead log; nil while it cannot be opened.
    package var walBytes: Int? { store?.walBytes }

    /// The store, for what is no change; nil while it cannot be opened.
    package var store: Store? { state.withLock { $0.store } }

    package var time: Timestamp { now() }

    /// All apps by key, those the caller may see.
    package func apps(for caller: Caller) -> [App] {
        state.withLock { $0.catalog.apps }.values.filter { caller.sees($0.key) }.sorted { $0.key < $1.key }
    }

    /// - Throws: `notFound`, also for an app out of the caller's scope: its existence is none of their business.
    package func app(_ key: AppKey, for caller: Caller) throws(ServiceError) -> App {
        guard caller.sees(key), let app = state.withLock({ $0.catalog.apps[key] }) else { throw .missing(key) }
        return app
    }

    package func target(_ key: TargetKey, for caller: Caller) throws(ServiceError) -> Target {
        guard caller.sees(key.app), let target = state.withLock({ $0.catalog.target(key) }) else { throw .missing(key) }
        return target
    }

    /// The change that brought a target to where it is, as far as the caller may see it; nil when the database cannot be read.
    package func lastChange(of target: Target, for caller: Caller) -> Change? { lastChange(of: target, asked: caller.requestId)?.seen(by: caller) }

    private func lastChange(of target: Target, asked requestId: String) -> Change? {
        let (known, store) = state.withLock { ($0.lastChanges[target.sequence], $0.store) }
        if let known { return known }
        guard let store else { return nil }
        do throws(StoreError) {
            let change = try store.change(sequence: target.sequence)
            failures.worked(.lastChange)
            if let change { state.withLock { $0.remember(change) } }
            return change
        } catch {
            // Without its last change a target is still worth showing.
            failures.failed(.lastChange, error, requestId: requestId)
            return nil
        }
    }

    /// Changes after a sequence, oldest first, from memory. Nil items mean that the caller must read everything anew.
    package func events(after sequence: Int, for caller: Caller) -> (items: [Change]?, sequence: Int) {
        let (items, newest) = state.withLock { ($0.recent.after(sequence, newest: $0.catalog.sequence, limit: 500), $0.catalog.sequence) }
        // The whole of the step is told even when some of it is hidden, so that the caller's `after` moves on.
        let reached = items.map { $0.count == 500 ? $0[499].sequence : newest } ?? newest
        return (items?.compactMap { $0.seen(by: caller) }, reached)
    }

    /// Newest first, at most the query's limit, leaving out what the caller may not see: changes, and targets of changes.
    package func history(_ query: ChangeQuery, for caller: Caller) throws(ServiceError) -> [Change] {
        var query = query
        var found: [Change] = []
        while found.count < query.limit {
            let page = try reading { store throws(StoreError) in try store.changes(query) }
            found += page.compactMap { $0.seen(by: caller) }.filter { change in
                // Found by a target that the caller may not see, it would tell that there is one.
                query.platform.map { platform in change.targets.contains { $0.target.platform == platform } } ?? true
            }
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.sequence
        }
        return Array(found.prefix(query.limit))
    }

    package func change(_ sequence: Int, for caller: Caller) throws(ServiceError) -> Change {
        guard let change = try reading({ store throws(StoreError) in try store.change(sequence: sequence) }),
            let seen = change.seen(by: caller)
        else { throw ServiceError(.notFound, "change_not_found", "There is no change \(sequence).") }
        return seen
    }

    /// Runs a read on the store.
    package func reading<Value>(_ read: (Store) throws(StoreError) -> Value) throws(ServiceError) -> Value {
        guard let store else { throw unavailable() }
        do { return try read(store) } catch { throw ServiceError(error) }
    }

    // MARK: Writes

    /// Plans a command and, unless it is a trial, carries it out.
    ///
    /// - Parameters:
    ///   - idempotency: when it was used before with the same request, that answer comes back and nothing happens.
    ///   - answer: makes the answer that is kept under the key; called before the commit, because it is written with it.
    /// - Returns: the answer, first given or given again.
    /// - Throws: ``ServiceError``; then nothing was written and no feed has changed.
    package func submit(
        _ command: Command,
        terms: WriteTerms,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: (Outcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(command)
        return try writing.withLock { _ throws(ServiceError) in
            if !terms.dryRun, let repeated = try repeated(idempotency, by: caller) { return repeated }
            let (catalog, schedule) = state.withLock { ($0.catalog, $0.schedule) }
            let step = schedule.warned(try planner(catalog).plan(command, terms: terms))
            let undone = Outcome(
                change: nil, plan: step.plan, isDryRun: terms.dryRun, app: app(of: command, in: catalog), plannedAt: catalog.sequence
            )
            if terms.dryRun { return answer(undone) }
            if step.changesNothing {
                let result = answer(undone)
                try keep(result, under: idempotency, of: caller)
                return result
            }
            let reason = Self.reason(try Self.reason(terms, plan: step.plan, accepted: step.accepted), telling: step.appsAlone)
            return try commit(step, command: command, reason: reason, caller: caller, idempotency: idempotency, catalog: catalog, answer: answer)
        }
    }

    /// A planner over a catalog and the history behind it, for this moment.
    func planner(_ catalog: Catalog) -> Planner {
        Planner(
            catalog: catalog,
            environment: environment,
            now: now(),
            history: { [self] target, revision throws(ServiceError) in
                if catalog.target(target)?.revision == revision { return catalog.target(target)?.gate }
                return try reading { store throws(StoreError) in try store.gate(of: target, revision: revision) }?.gate
            },
            news: { [self] sequence in state.withLock { $0.recent.after(sequence, newest: catalog.sequence, limit: .max) } }
        )
    }

    /// Commits and publishes a step. The caller holds ``writing``.
    /// - Parameter windows: what becomes of windows with the change of that sequence, in the same transaction.
    func commit(
        _ planned: Step,
        command: Command,
        reason: String?,
        caller: Caller,
        idempotency: IdempotencyKey?,
        catalog: Catalog,
        windows: (_ sequence: Int, _ at: Timestamp) -> [WindowRecord] = { _, _ in [] },
        answer: (Outcome) -> Answer
    ) throws(ServiceError) -> Answer {
        let store = try writableStore()
        let at = now()
        let sequence = catalog.sequence + 1
        let step = planned.dated(at, sequence: sequence)
        var published: [(key: AppKey, app: PublishedApp?)] = step.removedApps.map { ($0, nil) }
        for app in step.apps { published.append((app.key, try PublishedApp(rendering: app))) }
        let change = Change(
            sequence: sequence,
            at: at,
            actor: caller.actor,
            source: caller.source,
            kind: step.kind,
            reason: reason,
            requestId: caller.requestId,
            app: step.app,
            targets: step.targets.map { $0.published(published) }
        )
        let records = windows(sequence, at)
        let app = step.apps.first { $0.key == command.app }
        let result = answer(Outcome(change: change, plan: step.plan, isDryRun: false, app: app, plannedAt: catalog.sequence))
        let record = idempotency.map { IdempotencyRecord($0, of: caller, answer: result, at: at) }
        do {
            try store.commit(
                Commit(
                    change: change, apps: step.apps, removedApps: step.removedApps, removedTargets: step.removedTargets, idempotency: record, windows: records,
                    authority: caller.authority
                )
            )
        } catch {
            note(error)
            var refusal = ServiceError(error)
            refusal.target = step.inWords
            throw refusal
        }
        sink.publish(published)
        folder.remember(published)
        state.withLock { state in
            state.lastPublished = at
            state.catalog.apply(step, sequence: sequence)
            state.schedule.apply(records)
            state.recent.append(change)
            state.remember(change)
            state.troubles[.database] = nil
        }
        // Looking for the next moment costs a walk over all targets, so only a change that brings a moment asks for it.
        if !records.isEmpty || change.targets.contains(where: { $0.after.killSwitch?.until != nil }) { wake() }
        return result
    }

    /// Keeps an answer that comes with no change: asked again after somebody else's change, the same request must not do what it did not.
    private func keep(_ answer: Answer, under idempotency: IdempotencyKey?, of caller: Caller) throws(ServiceError) {
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

    private func unavailable() -> ServiceError {
        ServiceError(.unavailable, "database_unavailable", "The database cannot be read; feeds go on with their last state. See the server's log.", retryAfter: 5)
    }

    /// Remembers what a failed write says about the database; the next write that works, or the housekeeper's look, clears it.
    func note(_ error: StoreError) {
        switch error.code {
        case .full, .readOnly, .busy, .io, .corrupt, .unreadable: state.withLock { $0.troubles[.database] = Health.reason(error) }
        default: break
        }
    }

    // MARK: Time

    /// What to call whenever there may be something else to do, or sooner; on any thread, and must not call back.
    package func setAlarm(_ wake: @escaping @Sendable () -> Void) { alarm.withLock { $0 = wake } }

    func wake() { alarm.withLock { $0 }?() }

    // MARK: Housekeeping

    /// Called about once a second: writes the publication behind, cuts a long write-ahead log off, and looks whether a database that failed
    /// has come back.
    package func keepHouse() {
        failures.settle()
        do throws(StoreError) {
            try folder.flush()
            failures.worked(.publication)
            state.withLock { $0.troubles[.publication] = nil }
        } catch {
            failures.failed(.publication, error)
            state.withLock { $0.troubles[.publication] = "publication: the feeds could not be written to disk" }
        }
        let (store, wasIll) = state.withLock { ($0.store, $0.troubles[.database] != nil) }
        guard let store else { return }
        do throws(StoreError) {
            // SQLite's own checkpoints leave a long log long; this one cuts it off. It looks at the size alone until there is something to do.
            _ = try store.checkpointIfNeeded()
            failures.worked(.checkpoint)
        } catch {
            failures.failed(.checkpoint, error)
            note(error)
        }
        // A change that went through meanwhile has shown it as well.
        guard wasIll else { return failures.worked(.probe) }
        writing.withLock { _ in
            do throws(StoreError) {
                try store.probeWriting()
                failures.worked(.probe)
                state.withLock { $0.troubles[.database] = nil }
            } catch {
                failures.failed(.probe, error)
                note(error)
            }
        }
    }

    static func reason(_ terms: WriteTerms, plan: Plan, accepted: [String]) throws(ServiceError) -> String? {
        var reason: String?
        if let text = terms.reason, !text.allSatisfy(\.isWhitespace) {
            do { reason = try MessageText.cleaned(text, field: "/reason") } catch {
                throw ServiceError(.invalid, "invalid_reason", "A reason has at most \(Message.lengths.upperBound) characters and no control characters.", field: "/reason")
            }
        }
        if plan.reasonRequired, reason == nil {
            var error = ServiceError(.reasonRequired, "reason_required", "This environment is protected: say why in \"reason\".", field: "/reason")
            error.plan = plan
            throw error
        }
        if let phrase = plan.confirm, !Self.matches(terms.confirm, phrase) {
            let given = terms.confirm == nil ? "" : ", exactly"
            var error = ServiceError(.confirmationRequired, "confirmation_required", "To go on, put \"\(phrase)\" in \"confirm\"\(given).", field: "/confirm")
            error.plan = plan
            throw error
        }
        guard !accepted.isEmpty else { return reason }
        return [reason, "(accepted: \(accepted.joined(separator: ", ")))"].compactMap { $0 }.joined(separator: " ")
    }

    /// The reason, telling that there are apps which the change has no place to name. How many and not which: who reads it may not be
    /// allowed to see them all. What became of each stands in the history's own row.
    private static func reason(_ reason: String?, telling apps: [AppKey]) -> String? {
        guard apps.count > 1 else { return reason }
        return [reason, "(and \(apps.count - 1) more \(apps.count == 2 ? "app" : "apps"))"].compactMap { $0 }.joined(separator: " ")
    }

    /// Trimmed, and upper and lower case alike: people paste.
    private static func matches(_ given: String?, _ phrase: String) -> Bool {
        guard let given else { return false }
        let trimmed = given.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        return String(trimmed).lowercased() == phrase.lowercased()
    }

    private func app(of command: Command, in catalog: Catalog) -> App? { command.app.flatMap { catalog.apps[$0] } }
}
