package import GateJSON
package import GateModel
package import GateStore

extension Ledger {
    package var health: Health { troubles.health(isNamed: true) }

    /// The same without names of apps and rows, for anybody.
    package var namelessHealth: Health { troubles.health(isNamed: false) }

    /// What is wrong, and whether a write is held up at this moment: nobody would report that before it ends.
    private var troubles: Troubles {
        var troubles = look(\.troubles)
        guard isSlow, troubles[.database] == nil else { return troubles }
        troubles[.database] = "database: a write takes very long, as on a slow disk; changes wait or are refused"
        return troubles
    }

    /// Things that need a person although nothing is wrong with the server: one sentence each, about what somebody with that scope sees.
    package func notices(for scope: AppScope) -> [String] {
        let snapshot = look(\.snapshot)
        return [missedNotice(snapshot.schedule, scope), failedNotice(snapshot, scope), givenUpNotice(snapshot, scope)].compactMap(\.self)
    }

    private func missedNotice(_ schedule: Schedule, _ scope: AppScope) -> String? {
        let missed = schedule.missed.filter { scope == .all || $0.value.contains(where: scope.contains) }.keys.sorted()
        guard !missed.isEmpty else { return nil }
        return
            "schedule: \(missed.map { "window \($0)" }.inWords) \(missed.count == 1 ? "was" : "were") missed and will not happen unless somebody runs it; cancel it, or run it while its end is still to come"
    }

    private func failedNotice(_ snapshot: Snapshot, _ scope: AppScope) -> String? {
        let (failed, targets) = lacking(snapshot, scope, isGivenUp: false)
        guard !failed.isEmpty else { return nil }
        let (names, id) = (failed.map { "window \($0)" }.inWords, failed.count == 1 ? "\(failed[0])" : "ID")
        return
            "schedule: the start of \(names) failed on \(targets.sorted().inWords), where what \(failed.count == 1 ? "it was" : "they were") for is not in force; gatectl schedule show \(id) says why; do it by hand if it is still wanted"
    }

    private func givenUpNotice(_ snapshot: Snapshot, _ scope: AppScope) -> String? {
        let (failed, targets) = lacking(snapshot, scope, isGivenUp: true)
        guard !failed.isEmpty else { return nil }
        let (names, why) = (failed.map { "window \($0)" }.inWords, failed.count == 1 ? "a target of it was" : "targets of them were")
        return
            "schedule: \(names) will not happen, because \(why) deleted; what is still wanted has to be scheduled again, for \(targets.sorted().inWords)"
    }

    /// The windows of whose start something is lacking, and where.
    private func lacking(_ snapshot: Snapshot, _ scope: AppScope, isGivenUp: Bool) -> (windows: [Int], targets: Set<TargetKey>) {
        let time = now()
        var (windows, targets): ([Int], Set<TargetKey>) = ([], [])
        for lack in failedStarts.lacks(on: snapshot) where time < lack.until && lack.isGivenUp == isGivenUp {
            let lacking = scope == .all ? lack.targets : lack.targets.filter { scope.contains($0.app) }
            if !lacking.isEmpty { windows.append(lack.window) }
            targets.formUnion(lacking)
        }
        return (windows, targets)
    }

    /// The missed windows about these targets that a person could still run. They are kept in the database only.
    /// - Throws: also `too_many_windows` (422) when the apps have more missed windows than may be read for one change.
    func missed(losing removed: Set<TargetKey>, on schedule: Schedule) throws(ServiceError) -> [WindowRecord] {
        guard !removed.isEmpty, !schedule.missed.isEmpty else { return [] }
        let query = WindowQuery(states: [.missed], limit: Window.mostActive)
        let found = try reading { store throws(StoreError) in
            try store.windows(query, bytes: Window.mostWeight * 1_024, of: .only(Set(removed.map(\.app))))
        }
        guard !found.isCut, found.records.count < query.limit else {
            throw ServiceError(
                .invalid,
                "too_many_windows",
                "Too many windows were missed and wait for somebody. Cancel some first: gatectl schedule list shows them."
            )
        }
        // One that cannot be read, or that the server did not write, is never run.
        return found.records.filter { record in
            record.isSigned && record.window.fault == nil && record.window.targets.contains { removed.contains($0.key) }
        }
    }

    /// How many targets are in each state. Walks over all of them, outside every lock.
    package var targetCounts: [GateState: Int] {
        let catalog = look(\.catalog)
        return catalog.apps.values.reduce(into: [:]) { counts, app in
            for target in app.platforms.values { counts[target.gate.state, default: 0] += 1 }
        }
    }

    /// How many windows wait, run, or were missed and wait for a person.
    package var windowCounts: [Window.State: Int] {
        let schedule = look(\.schedule)
        return schedule.active.values.reduce(into: [.pending: 0, .running: 0, .missed: schedule.missed.count]) {
            $0[$1.window.state, default: 0] += 1
        }
    }

    /// How often windows have failed since the start, as a whole or in part: at their start, at their end, or with their targets.
    package var windowFailures: Int { look(\.schedule.failures) }

    /// How many milliseconds the most overdue window is late; 0 when none is.
    package var windowLateness: Int64 {
        let time = now().milliseconds
        return look(\.schedule).active.values.reduce(0) { max($0, time - ($1.window.due?.milliseconds ?? time)) }
    }

    package var sequence: Int { look(\.catalog.sequence) }

    /// Counts everything that happens to any window; a client that sees another number fetches the windows again.
    package var scheduleVersion: Int { look(\.schedule.version) }

    /// When the last change was published; nil before the first one, and while that time cannot be read.
    package var lastPublished: Timestamp? { look(\.lastPublished) }

    /// Size of the database's write-ahead log; nil while it cannot be opened.
    package var walBytes: Int? { store?.walBytes }

    /// The store, for anything that is not a change; nil while it cannot be opened.
    package var store: Store? { look(\.store) }

    package var time: Timestamp { now() }

    /// The apps the caller may see, sorted by key.
    package func apps(for caller: Caller) -> [App] {
        look(\.catalog.apps).values.filter { caller.sees($0.key) }.sorted { $0.key < $1.key }
    }

    /// - Throws: `notFound`, also for an app out of the caller's scope: its existence is none of their business.
    package func app(_ key: AppKey, for caller: Caller) throws(ServiceError) -> App {
        let catalog = look(\.catalog)
        guard caller.sees(key) else { throw .missing(key) }
        try catalog.requireReadable(key)
        guard let app = catalog.apps[key] else { throw .missing(key) }
        return app
    }

    package func target(_ key: TargetKey, for caller: Caller) throws(ServiceError) -> Target {
        let catalog = look(\.catalog)
        guard caller.sees(key.app) else { throw .missing(key) }
        try catalog.requireReadable(key.app)
        guard let target = catalog.target(key) else { throw .missing(key) }
        return target
    }

    /// Whether a target is there, whoever may see it.
    func has(_ key: TargetKey) -> Bool { look(\.catalog).target(key) != nil }

    /// The change that brought a target to its current state, reduced to that target; nil when the database cannot be read, and for a
    /// caller who may not see the target.
    package func lastChange(of target: Target, for caller: Caller) -> Change? {
        lastChange(of: target, asked: caller.requestId)?.seen(by: caller)
    }

    private func lastChange(of target: Target, asked requestId: String) -> Change? {
        let (known, store) = look { ($0.lastChanges[target.key, target.sequence], $0.reachableStore) }
        if let known { return known }
        guard let store else { return nil }
        do throws(StoreError) {
            let change = try store.change(sequence: target.sequence, of: target.key)
            failures.worked(.lastChange)
            if let change { remember(lastChange: change) }
            return change
        } catch {
            // Without its last change a target is still worth showing.
            failures.failed(.lastChange, error, requestId: requestId)
            return nil
        }
    }

    /// Changes after a sequence, oldest first, from memory, as many as fit in one answer. Nil items mean that the caller must read
    /// everything again.
    package func events(after sequence: Int, for caller: Caller) -> (items: [Change]?, sequence: Int) {
        let (run, newest) = look { state in
            let newest = state.catalog.sequence
            return (state.recent.after(sequence, newest: newest, limit: Self.mostEvents, bytes: Self.mostEventBytes), newest)
        }
        guard let run else { return (nil, newest) }
        // The sequence advances past hidden changes too, so that the caller's `after` moves on.
        let reached = run.isCut ? run.changes.last?.sequence ?? newest : newest
        return (run.changes.compactMap { $0.seen(by: caller) }, reached)
    }

    private static let mostEvents = 500
    /// Half of what fits in an answer, because sizes are estimates.
    private static let mostEventBytes = 1_048_576

    /// Newest first, up to the query's limit and to what fits in one answer, without the changes and targets that the caller may not see.
    /// - Returns: also whether there may be more that were left out because the answer was full, not because of the limit.
    package func history(_ query: ChangeQuery, for caller: Caller) throws(ServiceError) -> (changes: [Change], isCut: Bool) {
        var query = query
        var found: [Change] = []
        var room = Self.mostHistoryBytes
        while found.count < query.limit {
            let page = try reading { [query, room] store throws(StoreError) in try store.changes(query, bytes: room, of: caller.scope) }
            for change in page.changes {
                // The store leaves out what the caller may not see, but not what it cannot read.
                guard let seen = change.seen(by: caller) else { continue }
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
            // Sequences start at 1; a number out of range finds nothing.
            try store.changes(
                ChangeQuery(after: max(0, sequence &- 1), before: max(0, sequence &+ 1), limit: 1),
                bytes: Self.mostHistoryBytes,
                of: caller.scope
            )
        }
        guard let change = page.changes.first, let seen = change.seen(by: caller)
        else { throw ServiceError(.notFound, "change_not_found", "There is no change \(sequence).") }
        return seen
    }

    /// The store; nil also while it is known to be out of reach, so that nobody waits for it in vain.
    package var reachableStore: Store? { look(\.reachableStore) }

    /// Runs a read on the store.
    package func reading<Value>(_ read: (Store) throws(StoreError) -> Value) throws(ServiceError) -> Value {
        guard let store = reachableStore else { throw unavailable() }
        do { return try read(store) } catch { throw ServiceError(error) }
    }
}
