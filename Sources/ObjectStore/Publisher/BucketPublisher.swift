import Synchronization

/// Keeps a bucket equal to what is published: every document at its path, and nothing that was withdrawn.
///
/// The next ``keep()`` writes what has changed, and tries again for as long as it takes. At the start, a minute later, and once an hour,
/// everything in the bucket is compared with what should be there. Nothing is written over a newer document: the bucket's mark names its
/// last change, and a bucket whose mark is ahead of the caller, or names another history, is left alone.
///
/// Thread rule: ``keep()`` by one thread at a time, everything else by any.
package final class BucketPublisher: Sendable {
    /// How publishing stands.
    package struct Figures: Sendable, Hashable {
        /// Documents that are not yet in the bucket as they should be.
        package var pending = 0
        /// Documents that the present comparison (at the start, or hourly) has not looked at yet.
        package var unchecked = 0
        /// How long the oldest pending document has been waiting; nil when none is.
        package var waiting: Duration?
        /// Objects written and removed, and requests that failed, since the start.
        package var written = 0
        package var failed = 0
        /// Objects found missing or altered, and replaced, since the start.
        package var mended = 0
        /// Why publishing does not go on, in words for whoever runs the server; nil when it does.
        package var fault: ObjectStoreError?
    }

    /// How a group of documents is named: an app's key.
    package typealias Group = String

    private struct State {
        /// The paths of each group.
        var groups: [Group: Set<String>] = [:]
        /// Whether unknown documents may be removed.
        var isWhole = true
        /// The document that should be at each path.
        var wanted: [String: BucketObject] = [:]
        /// The history and its last change, as last passed to `publish`.
        var mark = BucketMark(history: nil, sequence: 0)
        /// The paths to write or remove, each with the time since which it waits.
        var pending: [String: Duration] = [:]
        /// The pending paths, newest change first: one app's document that the store refuses must not hold up another app's.
        var order: [String] = []
        /// Paths still to be compared; the last one is next.
        var unchecked: [String] = []
        /// Paths of the present comparison that could not be compared, the longest waiting first. They are tried again after all others,
        /// and hold up no later comparison: what the store refuses once, it may refuse for ever.
        var unanswered: [String] = []
        /// Paths of writes that the store may still carry out late, over a newer one: compared again at the time when that is no longer
        /// possible.
        var doubtful: [String: Duration] = [:]
        var lastComparison: Duration?
        /// How many were begun. Until the second one, writes that an earlier process left behind may still be carried out.
        var comparisons = 0
        var figures = Figures()

        /// Whether there is nothing left to write, and nothing left to compare.
        var isCarriedOut: Bool { pending.isEmpty && unchecked.isEmpty && unanswered.isEmpty }

        /// Takes the next path to compare.
        mutating func popUnchecked() -> String? { unchecked.popLast() ?? (unanswered.isEmpty ? nil : unanswered.removeFirst()) }
    }

    /// When to go on after failures.
    private struct Pause {
        var retryAt: Duration?
        var failures = 0
    }

    private let bucket: Bucket
    private let index: BucketIndex
    private let uptime: @Sendable () -> Duration
    private let state = Mutex(State())
    private let pause = Mutex(Pause())

    /// Documents in one round: a kill that arrives meanwhile waits for no more than these, and for none that is only compared.
    private static let round = 64
    /// The time between comparisons of everything, from the second one on.
    private static let comparison = Duration.seconds(3_600)
    /// The time after which an abandoned request can no longer be carried out: the longest that stores and proxies let one wait. The second
    /// comparison waits for it, because nobody knows what an earlier process abandoned when it ended.
    private static let doubt = Duration.seconds(60)
    /// The most time between attempts.
    private static let longestPause = Duration.seconds(10)

    /// - Parameters:
    ///   - goesOverNewer: newer documents are replaced: an operator has decided so.
    ///   - uptime: the time on a clock that nobody sets, from any beginning: pauses and ages must not depend on the time of day.
    package init(_ bucket: Bucket, goesOverNewer: Bool = false, uptime: @escaping @Sendable () -> Duration) {
        self.bucket = bucket
        index = BucketIndex(bucket, goesOverNewer: goesOverNewer)
        self.uptime = uptime
    }

    package var address: BucketAddress { bucket.address }

    package var figures: Figures {
        let time = uptime()
        return state.withLock { state in
            var figures = state.figures
            figures.pending = state.pending.count
            figures.unchecked = state.unchecked.count + state.unanswered.count
            figures.waiting = state.pending.values.min().map { time - $0 }
            return figures
        }
    }

    /// Replaces what is published of these groups. Cheap: ``keep()`` does the writing.
    /// - Parameters:
    ///   - groups: all documents of each, by path, which begins with a slash; none for a group that is removed.
    ///   - history: the history they belong to; nil for the bucket's own.
    ///   - sequence: a change that all of them include.
    ///   - isWhole: whether the groups passed so far are all that there is. If not, anything else in the bucket is kept.
    package func publish(
        _ groups: [(name: Group, documents: [String: BucketObject])],
        of history: String?,
        upTo sequence: Int,
        isWhole: Bool = true
    ) {
        let time = uptime()
        // This may be a kill, and it may succeed where other documents failed.
        pause.withLock { $0.retryAt = nil }
        state.withLock { state in
            state.isWhole = isWhole
            state.mark = BucketMark(history: history, sequence: max(sequence, state.mark.sequence))
            // A path may move from one group to another, so all old paths are released before new ones are added.
            var before: [String: BucketObject] = [:]
            for group in groups {
                for path in state.groups[group.name] ?? [] { before[path] = state.wanted.removeValue(forKey: path) }
            }
            for group in groups {
                state.groups[group.name] = group.documents.isEmpty ? nil : Set(group.documents.keys)
                state.wanted.merge(group.documents) { $1 }
            }
            // Until the first comparison nobody knows what is there, and that comparison looks at all paths.
            guard state.lastComparison != nil else { return }
            let touched = Set(before.keys).union(groups.flatMap(\.documents.keys))
            let changed = touched.filter { state.wanted[$0] != before[$0] }
            // A path that already waits because of an older change moves to the front, too: this change may be the kill. A path that is
            // being written at this moment is not in the order, and is put there when that write is done.
            let places = changed.intersection(state.order)
            if !places.isEmpty { state.order.removeAll { places.contains($0) } }
            let first = changed.filter { places.contains($0) || state.pending[$0] == nil }.sorted()
            for path in first where state.pending[path] == nil { state.pending[path] = time }
            state.order.insert(contentsOf: first, at: 0)
        }
    }

    /// Whether everything is there.
    package var isPublished: Bool { state.withLock { $0.isCarriedOut && $0.lastComparison != nil } }

    /// Whether, in addition, there is no write left that a store may still carry out late.
    package var isSettled: Bool { isPublished && state.withLock { $0.doubtful.isEmpty } }

    /// Does the pending work, at most ``round`` documents per call. To be called several times a second.
    /// - Parameter hasNews: whether there is something to publish by now: no other document is compared then before that.
    /// - Returns: whether there is more to do at once.
    @discardableResult
    package func keep(_ hasNews: @Sendable @escaping () -> Bool = { false }) -> Bool {
        let time = uptime()
        guard pause.withLock({ $0.retryAt.map { $0 <= time } ?? true }) else { return false }
        do throws(ObjectStoreError) {
            let isMore = try work(at: time, hasNews)
            pause.withLock { ($0.retryAt, $0.failures) = (nil, 0) }
            state.withLock { $0.figures.fault = nil }
            return isMore
        } catch {
            // What is known of the bucket may no longer be true.
            index.forgetMark()
            pause.withLock { pause in
                pause.failures += 1
                pause.retryAt = time + min(Self.longestPause, .milliseconds(100 << min(pause.failures, 7)))
            }
            state.withLock { state in
                state.figures.failed += 1
                state.figures.fault = error
            }
            return false
        }
    }

    private func work(at time: Duration, _ hasNews: @Sendable @escaping () -> Bool) throws(ObjectStoreError) -> Bool {
        // Before the first change there is nothing to publish, and no history to publish it as.
        guard state.withLock({ $0.mark.sequence > 0 }) else { return false }
        try beginComparison(at: time)
        let (mark, tasks) = nextTasks(at: time)
        guard !tasks.isEmpty else { return false }
        do throws(ObjectStoreError) { try announce(tasks, as: mark) } catch {
            putBack(tasks, at: time)
            throw error
        }
        try carryOut(tasks, as: mark, hasNews)
        return state.withLock { !$0.isCarriedOut }
    }

    /// One document's turn.
    private struct Task: Sendable {
        let path: String
        /// What should be there; nil for nothing.
        let wanted: BucketObject?
        /// Since when it has to be written; nil for one that is only looked at.
        let pendingSince: Duration?
        let wasDoubtful: Bool
    }

    /// The next tasks, with the mark that covers them.
    private func nextTasks(at time: Duration) -> (BucketMark, [Task]) {
        state.withLock { state in
            let isDue = state.doubtful.filter { $0.value <= time }.keys.sorted()
            var tasks: [Task] = []
            let urgent = state.order.prefix(Self.round)
            state.order.removeFirst(urgent.count)
            for path in urgent {
                tasks.append(Task(path: path, wanted: state.wanted[path], pendingSince: state.pending[path], wasDoubtful: false))
            }
            for path in isDue.prefix(Self.round - tasks.count) where state.pending[path] == nil {
                state.doubtful[path] = nil
                tasks.append(Task(path: path, wanted: state.wanted[path], pendingSince: nil, wasDoubtful: true))
            }
            while tasks.count < Self.round, let path = state.popUnchecked() {
                guard state.pending[path] == nil else { continue }
                tasks.append(Task(path: path, wanted: state.wanted[path], pendingSince: nil, wasDoubtful: false))
            }
            return (state.mark, tasks)
        }
    }

    /// None of these tasks is known to be done, so all of them are done again.
    private func putBack(_ tasks: [Task], at time: Duration) {
        state.withLock { state in
            let urgent = tasks.filter { $0.pendingSince != nil }.map(\.path)
            state.order.insert(contentsOf: urgent, at: 0)
            for task in tasks where task.pendingSince == nil {
                if task.wasDoubtful { state.doubtful[task.path] = time } else { state.unchecked.append(task.path) }
            }
        }
    }

    /// When it is due, queues a comparison of everything that is, or was, in the bucket.
    private func beginComparison(at time: Duration) throws(ObjectStoreError) {
        let isDue = state.withLock { state in
            let pause = state.comparisons == 1 ? Self.doubt : Self.comparison
            return state.unchecked.isEmpty && state.lastComparison.map { time - $0 >= pause } ?? true
        }
        guard isDue else { return }
        let paths = try index.read()
        // All at once: noting missing paths one by one would send the whole list as many times as it has entries. A mark or a list that
        // the store has lost is written again here.
        let (mark, wanted) = state.withLock { ($0.mark, Set($0.wanted.keys)) }
        try index.admit(mark)
        try index.note(wanted, as: mark)
        state.withLock { state in
            state.lastComparison = time
            state.comparisons += 1
            state.unchecked = (state.isWhole ? paths : []).union(state.wanted.keys).sorted().reversed()
            state.unanswered = []
        }
    }

    /// Checks the bucket's mark and updates its list of paths, before anything is written there.
    private func announce(_ tasks: [Task], as mark: BucketMark) throws(ObjectStoreError) {
        let writes = tasks.filter { $0.pendingSince != nil }
        guard !writes.isEmpty else { return }
        try index.admit(mark)
        try index.note(Set(writes.compactMap { $0.wanted == nil ? nil : $0.path }), as: mark)
    }

    /// - Throws: the first failure, after everything that could be done has been done; once the store does not answer, the rest is not
    ///   tried.
    private func carryOut(_ tasks: [Task], as mark: BucketMark, _ hasNews: @Sendable @escaping () -> Bool) throws(ObjectStoreError) {
        let isAway = Atomic<Bool>(false)
        let results = Lanes.map(tasks) { [self] task -> Result<Outcome, ObjectStoreError>? in
            guard !isAway.load(ordering: .relaxed) else { return nil }
            // A slow store would hold up a kill for as long as it takes to compare all of these.
            if task.pendingSince == nil, hasNews() { return nil }
            let result = Result { () throws(ObjectStoreError) in try done(task, as: mark) }
            if case .failure(let error) = result, error.code == .unreachable { isAway.store(true, ordering: .relaxed) }
            return result
        }
        let time = uptime()
        var failure: ObjectStoreError?
        var removed: Set<String> = []
        var untried: [Task] = []
        // Changed again meanwhile, and failed to be looked at.
        var (newer, failed): ([String], [String]) = ([], [])
        state.withLock { state in
            for (task, result) in zip(tasks, results) {
                switch result {
                case .success(let outcome)?:
                    state.figures.mended += outcome == .mended ? 1 : 0
                    state.figures.written += outcome == .asItWas ? 0 : 1
                    if task.wanted == nil { removed.insert(task.path) }
                    guard task.pendingSince != nil else { continue }
                    // Done, unless something else should be there by now.
                    if state.wanted[task.path] == task.wanted { state.pending[task.path] = nil } else { newer.append(task.path) }
                case .failure(let error)?:
                    failure = failure ?? error
                    if error.mayHaveArrived { state.doubtful[task.path] = time + Self.doubt }
                    guard task.pendingSince != nil else {
                        failed.append(task.path)
                        continue
                    }
                    if state.wanted[task.path] == task.wanted { state.order.append(task.path) } else { newer.append(task.path) }
                case nil: untried.append(task)
                }
            }
            state.order.insert(contentsOf: newer, at: 0)
            state.unanswered += failed
        }
        putBack(untried, at: time)
        if let failure { throw failure }
        // Paths that are wanted again by now stay in the list, and so do those where a late write may still put something.
        let gone = state.withLock { state in
            removed.filter { state.comparisons > 1 && state.wanted[$0] == nil && state.doubtful[$0] == nil }
        }
        if !gone.isEmpty { try index.forget(gone, as: mark) }
    }

    private enum Outcome { case asItWas, written, mended }

    private func done(_ task: Task, as mark: BucketMark) throws(ObjectStoreError) -> Outcome {
        var wasThere = false
        if task.pendingSince == nil {
            let found = try bucket.object(at: task.path)
            if found?.object == task.wanted { return .asItWas }
            // Not as it should be: from here on it is a change like any other, covered by the mark.
            try index.admit(mark)
            try index.refuseNewer(found?.sequence, than: mark)
            wasThere = index.wasListed(task.path)
        }
        if let wanted = task.wanted {
            try bucket.put(wanted, at: task.path, sequence: mark.sequence)
        } else {
            try bucket.remove(task.path)
        }
        return wasThere ? .mended : .written
    }
}
