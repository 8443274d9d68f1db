import GateJSON
import GateModel
import GateStore

/// The windows that the clock still has work for, in memory. The database is its only source.
struct Schedule: Sendable {
    /// By identifier.
    private(set) var active: [Int: WindowRecord] = [:]
    /// The active windows about each target, so that a change looks only at those that it concerns.
    private(set) var byTarget: [TargetKey: Set<Int>] = [:]
    /// The weight of each active window when it was added or last edited; ``weight`` is their sum.
    private(set) var weights: [Int: Int] = [:]
    private(set) var weight = 0
    private(set) var lastID = 0
    /// Windows that were missed and wait for a person, with the apps that each is about.
    private(set) var missed: [Int: Set<AppKey>] = [:]
    /// Starts that failed, by window, the newest ones; whether there is still something to make up for is asked of each.
    private(set) var failedStarts: [Int: FailedStart] = [:]
    /// How often windows have failed since the start, as a whole or in part.
    private(set) var failures = 0
    /// Increases with every write of any window.
    private(set) var version = 0

    init() {}

    /// - Parameter known: the schedule before the news that are taken over; nil for all that is stored.
    init(_ stored: StoredSchedule, after known: Schedule? = nil) {
        if let known {
            failures = known.failures
            // Windows that were active are among the news. Those that were over are as they were.
            failedStarts = known.failedStarts.filter { known.active[$0.key] == nil }
        }
        for window in stored.failed + stored.active.map(\.window) { note(window) }
        for record in stored.active { put(record) }
        lastID = stored.lastID
        missed = stored.missed
        version = stored.lastVersion
    }

    /// Active windows in the order in which they come due: ``DueStep``.
    var windows: [Window] { inOrder(active.values.map(\.window)) }

    /// How many active windows are an account's, and what they weigh together.
    /// - Parameter account: of whoever made or edited them last: ``GateModel/Actor/account``.
    func share(of account: String) -> (windows: Int, weight: Int) {
        var share = (windows: 0, weight: 0)
        for (id, record) in active where record.window.actor.account == account {
            share.windows += 1
            share.weight += weights[id] ?? record.window.weight
        }
        return share
    }

    private func inOrder(_ windows: [Window]) -> [Window] { windows.sorted { DueStep($0) < DueStep($1) } }

    /// The active windows about any of these targets, in the order of ``windows``.
    func windows(about targets: some Sequence<TargetKey>) -> [Window] {
        guard !byTarget.isEmpty else { return [] }
        let ids = targets.reduce(into: Set<Int>()) { ids, target in
            if let more = byTarget[target] { ids.formUnion(more) }
        }
        return inOrder(ids.compactMap { active[$0]?.window })
    }

    /// The windows due up to a moment that are about one of these targets, or about a target of another such window.
    func windows(connectedWith targets: Set<TargetKey>, until moment: Timestamp) -> [Window] {
        var found: [Int: Window] = [:]
        var known = targets
        var unseen = Array(targets)
        while let target = unseen.popLast() {
            for id in byTarget[target] ?? [] where found[id] == nil {
                guard let window = active[id]?.window, let due = window.due, due <= moment else { continue }
                found[id] = window
                unseen += window.targets.map(\.key).filter { known.insert($0).inserted }
            }
        }
        return Array(found.values)
    }

    /// Records for writing windows next, each replacing the version that is known of it.
    /// - Parameter read: the records read from the database, for windows that are not active.
    func records(_ windows: [Window], read: [WindowRecord]) -> [WindowRecord] {
        windows.enumerated().map { index, window in
            let known = active[window.id] ?? read.first { $0.window.id == window.id }
            return WindowRecord(window: window, version: version + 1 + index, previous: known?.version)
        }
    }

    /// The same with at most one such record.
    func records(_ windows: [Window], read: WindowRecord? = nil) -> [WindowRecord] { records(windows, read: read.map { [$0] } ?? []) }

    /// The same for windows that are already encoded.
    func records(_ windows: [SpelledWindow], read: WindowRecord? = nil) -> [WindowRecord] {
        zip(windows, records(windows.map(\.window), read: read)).map { spelled, record in
            WindowRecord(spelled, version: record.version, previous: record.previous)
        }
    }

    /// The schedule after these records were written.
    func applying(_ records: [WindowRecord]) -> Schedule {
        var schedule = self
        schedule.apply(records)
        return schedule
    }

    /// The schedule without this window, for planning its replacement.
    func without(_ id: Int) -> Schedule {
        guard let record = active[id] else { return self }
        var schedule = self
        schedule.remove(record)
        return schedule
    }

    /// Applies what was written.
    mutating func apply(_ records: [WindowRecord]) {
        for record in records {
            if let present = active[record.window.id] {
                remove(present)
                if record.window.failedAt != present.window.failedAt { failures += 1 }
                if record.window.edits > present.window.edits { weights[record.window.id] = nil }
            }
            if record.window.state.isActive { put(record) } else { weights[record.window.id] = nil }
            note(record.window)
            missed[record.window.id] = record.window.state == .missed ? record.window.apps : nil
            lastID = max(lastID, record.window.id)
            version = max(version, record.version)
        }
    }

    /// Keeps in mind whether the window's start failed.
    private mutating func note(_ window: Window) {
        failedStarts[window.id] = FailedStart(of: window)
        guard failedStarts.count > StoredSchedule.mostFailed else { return }
        let oldest = failedStarts.min { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
        if let oldest { failedStarts[oldest.key] = nil }
    }

    private mutating func put(_ record: WindowRecord) {
        active[record.window.id] = record.written
        for target in record.window.targets { byTarget[target.key, default: []].insert(record.window.id) }
        let weight = weights[record.window.id] ?? record.window.weight
        weights[record.window.id] = weight
        self.weight += weight
    }

    private mutating func remove(_ record: WindowRecord) {
        active[record.window.id] = nil
        for target in record.window.targets {
            byTarget[target.key]?.remove(record.window.id)
            if byTarget[target.key]?.isEmpty == true { byTarget[target.key] = nil }
        }
        weight -= weights[record.window.id] ?? 0
    }

    // MARK: Windows that meet

    /// The other windows whose rules a change by the clock alters, with their expectations, and what they go back to, adjusted to it.
    /// Not for a person's change: a window must find that as a difference.
    /// - Parameters:
    ///   - id: the window whose step it is.
    ///   - ending: what that window takes away, if it ends.
    ///   - catalog: the catalog before the change.
    ///   - sequence: of the change; nil when there was nothing to change.
    func overtaken(
        by targets: [ChangedTarget],
        except id: Int?,
        ending: Withdrawal? = nil,
        on catalog: Catalog,
        by actor: Actor,
        at: Timestamp,
        sequence: Int?,
        because: String
    ) -> [Window] {
        let changes = Dictionary(targets.map { ($0.target, $0) }, uniquingKeysWith: { first, _ in first })
        let concerned = Set(changes.keys).union(ending.map { Set($0.targets) } ?? [])
        return windows(about: concerned).compactMap { window in
            guard window.id != id else { return nil }
            var window = window
            var isTouched = ending?.alter(&window) ?? false
            for index in window.targets.indices {
                let target = window.targets[index]
                guard let changed = changes[target.key] else { continue }
                let moved = changed.altered.filter { rule, _ in target.expects(changed.before.json(of: rule), of: rule) }
                if window.follow(moved, at: index) { isTouched = true }
            }
            if let ending {
                let isSettled = ending.settle(&window) { changes[$0]?.after ?? catalog.target($0)?.gate }
                isTouched = isTouched || isSettled
            }
            guard isTouched else { return nil }
            window.overtake(by: actor, at: at, sequence: sequence, because: because)
            return window
        }
    }
}

extension ChangedTarget {
    /// The rules that change, with their new values.
    var altered: [Rule: JSONValue?] {
        var altered: [Rule: JSONValue?] = [:]
        for rule in Rule.allCases {
            let json = after.json(of: rule)
            if json != before.json(of: rule) { altered.updateValue(json, forKey: rule) }
        }
        return altered
    }
}

extension Window {
    /// Takes over what the clock made of rules of one of its targets. One that waits keeps in mind what it was made for.
    /// - Returns: whether it expected anything else.
    mutating func follow(_ moved: [Rule: JSONValue?], at index: Int) -> Bool {
        let target = targets[index]
        let expected = GateEdit(target.expected.dictionary.merging(moved) { $1 })
        guard expected != target.expected else { return false }
        let made = target.made ?? target.expected
        targets[index].expected = expected
        targets[index].made = state == .pending && made != expected ? made : nil
        return true
    }
}
