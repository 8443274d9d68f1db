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
    let writing = WritersLock()
    let state: Mutex<State>
    private let alarm = Mutex(Alarm())

    /// In a structure for the reason that ``WritersLock`` gives.
    private struct Alarm: Sendable {
        var ring: (@Sendable () -> Void)?
    }

    struct State: Sendable {
        var catalog = Catalog()
        var schedule = Schedule()
        var recent = RecentChanges([], floor: 0)
        var lastChanges = LastChanges()
        /// Counts how often the database was read from its beginning.
        var reading = 0
        var troubles = Troubles()
        /// Nil while the database cannot be opened.
        var store: Store?
        var lastPublished: Timestamp?
        /// Apps that are served as they were published last, until the database says which there are.
        var provisional: [AppKey] = []
        var unreadable = UnreadableRows()

        var snapshot: Snapshot { Snapshot(catalog: catalog, schedule: schedule, reading: reading) }
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
    ///
    /// What cannot be read of it stops nothing else: an app is sealed and served as it was published last, a window does nothing, and the
    /// health names the rows.
    /// - Throws: what reading it throws.
    /// - Parameter isBehind: the database is known to be older than what was published, which goes on then: nothing of it is replaced or removed.
    package func start(with store: Store, isBehind: Bool = false) throws(StoreError) {
        try writing.withLock { () throws(StoreError) in
            let stored = try store.loadState()
            var catalog = Catalog(stored)
            let windows = try store.loadSchedule()
            let schedule = Schedule(windows)
            let recent = try store.changes(ChangeQuery(limit: 200), bytes: RecentChanges.room / 2).changes
            let faults = stored.unreadable + windows.unreadable + recent.compactMap(\.storeFault)
            var unrendered: Set<AppKey> = []
            var published: [(key: AppKey, app: PublishedApp?)] = []
            for app in stored.apps {
                do throws(ServiceError) { published.append((app.key, try PublishedApp(rendering: app))) } catch {
                    catalog.seal(app.key)
                    unrendered.insert(app.key)
                }
            }
            var unreadable = UnreadableRows()
            unreadable.add(try store.unnoted(faults))
            let kept = catalog.sealed.sorted().map { (key: $0, app: folder.load($0)) }
            for (key, app) in kept { unreadable.seal(key, isServed: app != nil, isRendered: !unrendered.contains(key)) }
            let gone = state.withLock { $0.provisional }.filter { catalog.apps[$0] == nil && !catalog.sealed.contains($0) }
            if isBehind {
                let known = Set(published.map(\.key))
                sink.publish(published + kept.filter { $0.app != nil })
                serveKept(beside: known)
            } else {
                sink.publish(gone.map { ($0, nil) } + published + kept.filter { $0.app != nil })
                let missing = kept.filter { $0.app == nil }.map(\.key)
                sink.set(missing.isEmpty ? .none : .apps(Set(missing)))
                folder.remember(gone.map { ($0, nil) } + published)
                do throws(StoreError) {
                    try folder.forgetOthers(than: Set(catalog.apps.values.map(\.key)).union(catalog.sealed))
                    failures.worked(.oldPublication)
                } catch { failures.failed(.oldPublication, error) }
            }
            state.withLock { [catalog] state in
                state.catalog = catalog
                state.unreadable = unreadable
                state.troubles[.unreadableRows] = unreadable.reason
                state.schedule = schedule
                state.reading += 1
                state.lastChanges = LastChanges()
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
        let (apps, damaged) = serveKept()
        state.withLock { state in
            state.troubles.isStarting = false
            state.troubles[.database] = Health.reason(error)
            state.provisional = apps.map(\.key)
            state.troubles[.keptFeeds] = damaged.isEmpty ? nil : "damaged: publication of \(damaged.joined(separator: ", "))"
        }
        return damaged
    }

    /// Publishes what was published last, and says of what else there may be that it cannot be read.
    /// - Parameter known: apps whose feeds are there already; one that was kept goes before them.
    @discardableResult
    private func serveKept(beside known: Set<AppKey> = []) -> (apps: [PublishedApp], damaged: [String]) {
        var (apps, damaged): ([PublishedApp], [String]) = ([], [])
        do throws(StoreError) { (apps, damaged) = try folder.load() } catch {
            failures.failed(.keptFeeds, error)
            damaged = ["all apps"]
        }
        sink.publish(apps.map { ($0.key, $0) })
        let unread = damaged.map { $0.hasSuffix(".json") ? AppKey(String($0.dropLast(5))) : nil }
        // A folder without a file says nothing of what there was in it.
        let isUnknown = unread.contains(nil) || (apps.isEmpty && known.isEmpty && damaged.isEmpty)
        sink.set(isUnknown ? .all : damaged.isEmpty ? .none : .apps(Set(unread.compactMap(\.self))))
        return (apps, damaged)
    }

    /// Takes the store out of use, so that it can be closed; feeds go on, writes are refused until ``start(with:)``. Waits for a write that is
    /// under way.
    package func suspend(because error: StoreError) {
        writing.withLock {
            state.withLock { state in
                state.store = nil
                state.troubles[.database] = Health.reason(error)
            }
        }
    }

    /// All rows have been looked through, and these were found that nobody can read.
    package func found(unreadable rows: [StoreFault]) {
        state.withLock { state in
            state.unreadable.add(rows)
            state.troubles[.unreadableRows] = state.unreadable.reason
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

    /// The rows of people, tokens and windows have been looked through: nil when all of them are the server's own.
    package func rowsChecked(fault: String?) { state.withLock { $0.troubles[.rows] = fault } }

    /// The history's heads were kept in a second place, or could not be.
    package func anchorCopied(fault: String?) { state.withLock { $0.troubles[.anchor] = fault } }

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

    /// Calls `observer` whenever a writer is done, with how long all others had to wait for it: from its turn to its end.
    package func observeWriters(_ observer: @escaping @Sendable (Duration) -> Void) { writing.observe(observer) }

    /// All apps by key, those the caller may see.
    package func apps(for caller: Caller) -> [App] {
        state.withLock { $0.catalog.apps }.values.filter { caller.sees($0.key) }.sorted { $0.key < $1.key }
    }

    /// - Throws: `notFound`, also for an app out of the caller's scope: its existence is none of their business.
    package func app(_ key: AppKey, for caller: Caller) throws(ServiceError) -> App {
        let catalog = state.withLock { $0.catalog }
        guard caller.sees(key) else { throw .missing(key) }
        try catalog.requireReadable(key)
        guard let app = catalog.apps[key] else { throw .missing(key) }
        return app
    }

    package func target(_ key: TargetKey, for caller: Caller) throws(ServiceError) -> Target {
        let catalog = state.withLock { $0.catalog }
        guard caller.sees(key.app) else { throw .missing(key) }
        try catalog.requireReadable(key.app)
        guard let target = catalog.target(key) else { throw .missing(key) }
        return target
    }

    /// The change that brought a target to where it is, as far as it is about that target; nil when the database cannot be read, and for whom the
    /// target is out of sight.
    package func lastChange(of target: Target, for caller: Caller) -> Change? { lastChange(of: target, asked: caller.requestId)?.seen(by: caller) }

    private func lastChange(of target: Target, asked requestId: String) -> Change? {
        let (known, store) = state.withLock { ($0.lastChanges[target.key, target.sequence], $0.store) }
        if let known { return known }
        guard let store else { return nil }
        do throws(StoreError) {
            let change = try store.change(sequence: target.sequence, of: target.key)
            failures.worked(.lastChange)
            if let change { state.withLock { $0.lastChanges.keep(change) } }
            return change
        } catch {
            // Without its last change a target is still worth showing.
            failures.failed(.lastChange, error, requestId: requestId)
            return nil
        }
    }

    /// Changes after a sequence, oldest first, from memory, as many as one answer holds. Nil items mean that the caller must read everything anew.
    package func events(after sequence: Int, for caller: Caller) -> (items: [Change]?, sequence: Int) {
        let (run, newest) = state.withLock { state in
            let newest = state.catalog.sequence
            return (state.recent.after(sequence, newest: newest, limit: Self.mostEvents, bytes: Self.mostEventBytes), newest)
        }
        guard let run else { return (nil, newest) }
        // The whole of the step is told even when some of it is hidden, so that the caller's `after` moves on.
        let reached = run.isCut ? run.changes.last?.sequence ?? newest : newest
        return (run.changes.compactMap { $0.seen(by: caller) }, reached)
    }

    private static let mostEvents = 500
    /// Half of what an answer holds: sizes are estimates.
    private static let mostEventBytes = 1_048_576

    /// Newest first, at most the query's limit and what one answer holds, leaving out what the caller may not see: changes, and targets of
    /// changes.
    /// - Returns: also whether there may be more than the limit did not keep out.
    package func history(_ query: ChangeQuery, for caller: Caller) throws(ServiceError) -> (changes: [Change], isCut: Bool) {
        var query = query
        var found: [Change] = []
        var room = Self.mostHistoryBytes
        while found.count < query.limit {
            let page = try reading { [query, room] store throws(StoreError) in try store.changes(query, bytes: room, of: caller.scope) }
            for change in page.changes {
                // Found by a target that the caller may not see, it would tell that there is one.
                guard let seen = change.seen(by: caller),
                    query.platform.map({ platform in seen.omitted > 0 || seen.targets.contains { $0.target.platform == platform } }) ?? true
                else { continue }
                found.append(seen)
                room -= seen.targets.reduce(1_024) { $0 + $1.bytes }
            }
            guard let last = page.changes.last else { break }
            if room <= 0 || (page.isCut && !found.isEmpty) { return (Array(found.prefix(query.limit)), true) }
            guard page.isCut || page.changes.count == query.limit else { break }
            query.before = last.sequence
        }
        return (Array(found.prefix(query.limit)), false)
    }

    private static let mostHistoryBytes = 1_572_864

    package func change(_ sequence: Int, for caller: Caller) throws(ServiceError) -> Change {
        let page = try reading { store throws(StoreError) in
            // Sequences start at 1; the numbers beyond are nobody's.
            try store.changes(ChangeQuery(after: max(0, sequence &- 1), before: max(0, sequence &+ 1), limit: 1), bytes: Self.mostHistoryBytes, of: caller.scope)
        }
        guard let change = page.changes.first, let seen = change.seen(by: caller)
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
        /// What phones show, as it was planned last without the lock: somebody who is overtaken again and again is told that.
        var effects: [Effect] = []
        func step(on snapshot: Snapshot, isHeld: Bool = false) throws(ServiceError) -> Step {
            var planner = planner(snapshot.catalog)
            planner.sees = caller.sees
            planner.limitEffects(isHeld: isHeld)
            var step = snapshot.schedule.warned(try planner.plan(command, terms: terms))
            if isHeld { step.plan.effects = effects } else { effects = step.plan.effects }
            step.plan = step.plan.fitting()
            return step
        }
        func undone(_ step: Step, on snapshot: Snapshot) -> Answer {
            answer(
                Outcome(
                    change: nil, plan: step.plan, isDryRun: terms.dryRun, app: command.app.flatMap { snapshot.catalog.apps[$0] },
                    plannedAt: snapshot.catalog.sequence
                )
            )
        }
        if terms.dryRun {
            let snapshot = snapshot
            return undone(try step(on: snapshot), on: snapshot)
        }
        return try written(by: caller, under: idempotency) { () throws(ServiceError) in
            try planned { snapshot, isHeld throws(ServiceError) -> (prepared: PreparedStep, reason: String?, ready: Ready?) in
                let step = try step(on: snapshot, isHeld: isHeld)
                guard !step.changesNothing else { return (try PreparedStep(step, sequence: 0, at: now()), nil, nil) }
                let reason = Self.reason(try Self.reason(terms, plan: step.plan, accepted: step.accepted), telling: step.appsAlone)
                let prepared = try PreparedStep(step, sequence: snapshot.catalog.sequence + 1, at: now())
                return (prepared, reason, ready(prepared, command: command, reason: reason, caller: caller, answer: answer))
            } holds: { draft, before, now in
                // What else a plan looks at, such as who has which alias, only commands ask that are seldom: they are planned anew.
                guard case .gates(let commands, _) = command else { return false }
                return now.agrees(with: before, about: Set(commands.map(\.target.app)))
            } carryOut: { draft, snapshot throws(ServiceError) in
                if let repeated = try repeated(idempotency, by: caller) { return repeated }
                guard !draft.prepared.step.changesNothing else {
                    let result = undone(draft.prepared.step, on: snapshot)
                    try keep(result, under: idempotency, of: caller)
                    return result
                }
                return try commit(draft.prepared, command: command, reason: draft.reason, caller: caller, idempotency: idempotency, snapshot: snapshot, ready: draft.ready, answer: answer)
            }
        }
    }

    /// What a commit needs besides a prepared step, made before the lock is taken: right as long as nobody is faster.
    struct Ready: Sendable {
        let change: Change
        let spelled: SpelledTargets?
        let feeds: ReadyFeeds
        let answer: Answer
    }

    private func ready(_ prepared: PreparedStep, command: Command, reason: String?, caller: Caller, answer: (Outcome) -> Answer) -> Ready {
        let change = Self.change(prepared, reason: reason, caller: caller)
        // Without it the hash is made with the commit: a head that cannot be read is a failure there.
        let head = try? store?.chainHead()
        let spelled = head.flatMap { $0.sequence == change.sequence - 1 ? prepared.spelled?.linked(to: change, after: $0) : nil } ?? prepared.spelled
        return Ready(change: change, spelled: spelled, feeds: sink.ready(prepared.published), answer: answer(Self.outcome(change, prepared, command)))
    }

    private static func change(_ prepared: PreparedStep, reason: String?, caller: Caller) -> Change {
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

    private static func outcome(_ change: Change, _ prepared: PreparedStep, _ command: Command) -> Outcome {
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
            news: { [self] sequence in state.withLock { $0.recent.after(sequence, newest: catalog.sequence, limit: .max)?.changes } }
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
    package func setAlarm(_ wake: @escaping @Sendable () -> Void) { alarm.withLock { $0.ring = wake } }

    func wake() { alarm.withLock { $0.ring }?() }

    // MARK: Housekeeping

    /// Called about once a second: writes the publication behind, cuts a long write-ahead log off, and looks whether a database that failed
    /// has come back.
    package func keepHouse() {
        failures.settle()
        do throws(StoreError) {
            // A second of giving way and no more: where one change follows another, the feeds have to be kept all the same.
            let begun = ContinuousClock.now
            try folder.flush { if ContinuousClock.now - begun < .seconds(1) { writing.wait() } }
            failures.worked(.publication)
            state.withLock { $0.troubles[.publication] = nil }
        } catch {
            failures.failed(.publication, error)
            state.withLock { $0.troubles[.publication] = "publication: the feeds could not be written to disk" }
        }
        let (store, wasIll) = state.withLock { ($0.store, $0.troubles[.database] != nil) }
        guard let store else { return }
        do throws(StoreError) {
            // Under the lock, so that what writers wait for it is told by the lock's metric, and not as somebody's own.
            if store.needsCheckpoint { try writing.withLock { () throws(StoreError) in _ = try store.checkpoint() } }
            failures.worked(.checkpoint)
        } catch {
            failures.failed(.checkpoint, error)
            note(error)
        }
        // A change that went through meanwhile has shown it as well.
        guard wasIll else { return failures.worked(.probe) }
        writing.withLock {
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

}
