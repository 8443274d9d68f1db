package import GateJSON
import Synchronization

/// Keeps a bucket equal to what is published: every document at its path, and nothing that was taken away.
///
/// What changes is put there by the next ``keep()``, and tried again for as long as it takes. At the start, and once an hour, everything that
/// is there is compared with what should be. Nothing is written over a newer document: the bucket's mark says up to which change it has
/// come, and one that says more than the caller knows, or names another history, is left alone.
///
/// Thread rule: ``keep()`` by one thread at a time, everything else by any.
package final class BucketPublisher: Sendable {
    /// How publishing stands.
    package struct Figures: Sendable, Hashable {
        /// Documents that are not yet there as they should be.
        package var pending = 0
        /// Documents of which nobody has looked, since the start or the last hour, whether they are there.
        package var unchecked = 0
        /// Since when the oldest of the pending ones waits; nil when none does.
        package var waitingSince: Timestamp?
        /// Objects written and removed, and requests that failed, since the start.
        package var written = 0
        package var failed = 0
        /// Objects that were not as they had been put there, since the start.
        package var mended = 0
        /// Why it does not go on, in words for whoever runs the server; nil when it does.
        package var fault: ObjectStoreError?
    }

    /// How a group of documents is named: an app's key.
    package typealias Group = String

    private struct State {
        /// The paths of each group.
        var groups: [Group: Set<String>] = [:]
        /// Whether what is not wanted may go.
        var isWhole = true
        /// Where each path's document is from.
        var wanted: [String: BucketObject] = [:]
        /// The history and its last change, as they were told last.
        var mark = BucketMark(history: nil, sequence: 0)
        /// What has to be written or removed, in the order in which it came, and since when.
        var pending: [String: Timestamp] = [:]
        /// The newest change first: what a store does not take of one app must not stand in another's way.
        var order: [String] = []
        /// What has to be looked at: the last is next.
        var unchecked: [String] = []
        /// Of a write that may be carried out late, over a newer one: looked at again when it cannot be any more.
        var doubtful: [String: Timestamp] = [:]
        var lastComparison: Timestamp?
        var figures = Figures()
    }

    /// When to go on after failures.
    private struct Pause {
        var retryAt: Timestamp?
        var failures = 0
    }

    private let bucket: Bucket
    private let index: BucketIndex
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())
    private let pause = Mutex(Pause())

    /// Documents of one round: a kill that comes meanwhile waits for no more than these.
    private static let round = 64
    /// Seconds between comparisons of everything.
    private static let comparison: Int64 = 3_600
    /// Seconds after which a request that was given up cannot be carried out any more: the longest that stores and proxies let one wait.
    private static let doubt: Int64 = 60
    /// Seconds between attempts at most.
    private static let longestPause: Int64 = 10

    /// - Parameter goesOverNewer: newer documents are replaced, which somebody has decided.
    package init(_ bucket: Bucket, goesOverNewer: Bool = false, now: @escaping @Sendable () -> Timestamp) {
        self.bucket = bucket
        index = BucketIndex(bucket, goesOverNewer: goesOverNewer)
        self.now = now
    }

    package var address: BucketAddress { bucket.address }

    package var figures: Figures {
        state.withLock { state in
            var figures = state.figures
            figures.pending = state.pending.count
            figures.unchecked = state.unchecked.count
            figures.waitingSince = state.pending.values.min()
            return figures
        }
    }

    /// Has groups of documents published in place of what was published of them. Cheap.
    /// - Parameters:
    ///   - groups: all documents of each by their paths, which begin with a slash; none for a group that goes.
    ///   - history: which history they are of; nil for that of the bucket.
    ///   - sequence: a change that all of them have seen.
    ///   - isWhole: whether all groups together are all that there is. What else was published stays where there may be more than is known.
    package func publish(
        _ groups: [(name: Group, documents: [String: BucketObject])],
        of history: String?,
        upTo sequence: Int,
        isWhole: Bool = true
    ) {
        let time = now()
        // It may be somebody's kill, and what does not work for others may work for it.
        pause.withLock { $0.retryAt = nil }
        state.withLock { state in
            state.isWhole = isWhole
            state.mark = BucketMark(history: history, sequence: max(sequence, state.mark.sequence))
            // A path may move from one group to another, so all are let go of before any is taken.
            var before: [String: BucketObject] = [:]
            for group in groups {
                for path in state.groups[group.name] ?? [] { before[path] = state.wanted.removeValue(forKey: path) }
            }
            for group in groups {
                state.groups[group.name] = group.documents.isEmpty ? nil : Set(group.documents.keys)
                state.wanted.merge(group.documents) { $1 }
            }
            // Until the first comparison nobody knows what is there: it looks at all of them.
            guard state.lastComparison != nil else { return }
            let touched = Set(before.keys).union(groups.flatMap(\.documents.keys))
            let changed = touched.filter { state.wanted[$0] != before[$0] && state.pending[$0] == nil }.sorted()
            for path in changed { state.pending[path] = time }
            state.order.insert(contentsOf: changed, at: 0)
        }
    }

    /// Whether everything is there.
    package var isPublished: Bool { state.withLock { $0.pending.isEmpty && $0.unchecked.isEmpty && $0.lastComparison != nil } }

    /// Whether, beside that, no write is left that a store may still carry out late.
    package var isSettled: Bool { isPublished && state.withLock { $0.doubtful.isEmpty } }

    /// Carries out what there is to do, of more than ``round`` documents a part. To be called several times a second.
    /// - Returns: whether there is more to do at once.
    @discardableResult
    package func keep() -> Bool {
        let time = now()
        guard pause.withLock({ $0.retryAt.map { $0 <= time } ?? true }) else { return false }
        do throws(ObjectStoreError) {
            let isMore = try work(at: time)
            pause.withLock { ($0.retryAt, $0.failures) = (nil, 0) }
            state.withLock { $0.figures.fault = nil }
            return isMore
        } catch {
            // Whatever is known of the bucket may not be so any more.
            index.forgetMark()
            pause.withLock { pause in
                pause.failures += 1
                let milliseconds = min(Self.longestPause * 1_000, 100 << Int64(min(pause.failures, 7)))
                pause.retryAt = Timestamp(milliseconds: time.milliseconds + milliseconds)
            }
            state.withLock { state in
                state.figures.failed += 1
                state.figures.fault = error
            }
            return false
        }
    }

    private func work(at time: Timestamp) throws(ObjectStoreError) -> Bool {
        // Before the first change there is nothing to publish, and no history to publish it as.
        guard state.withLock({ $0.mark.sequence > 0 }) else { return false }
        try beginComparison(at: time)
        let (mark, tasks) = nextTasks(at: time)
        guard !tasks.isEmpty else { return false }
        do throws(ObjectStoreError) { try announce(tasks, as: mark) } catch {
            putBack(tasks, at: time)
            throw error
        }
        try carryOut(tasks, as: mark)
        return state.withLock { !$0.pending.isEmpty || !$0.unchecked.isEmpty }
    }

    /// One document's turn.
    private struct Task: Sendable {
        let path: String
        /// What is to be there; nil for nothing.
        let wanted: BucketObject?
        /// Since when it has to be written; nil for one that is only looked at.
        let pendingSince: Timestamp?
        let wasDoubtful: Bool
    }

    /// What is next, with the mark that speaks of it.
    private func nextTasks(at time: Timestamp) -> (BucketMark, [Task]) {
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
            while tasks.count < Self.round, let path = state.unchecked.popLast() {
                guard state.pending[path] == nil else { continue }
                tasks.append(Task(path: path, wanted: state.wanted[path], pendingSince: nil, wasDoubtful: false))
            }
            return (state.mark, tasks)
        }
    }

    /// Nothing of it is known to be done: all of it is done again.
    private func putBack(_ tasks: [Task], at time: Timestamp) {
        state.withLock { state in
            let urgent = tasks.filter { $0.pendingSince != nil }.map(\.path)
            state.order.insert(contentsOf: urgent, at: 0)
            for task in tasks where task.pendingSince == nil {
                if task.wasDoubtful { state.doubtful[task.path] = time } else { state.unchecked.append(task.path) }
            }
        }
    }

    /// When it is time for it, has everything looked at that is, or was, in the bucket.
    private func beginComparison(at time: Timestamp) throws(ObjectStoreError) {
        let isDue = state.withLock { state in
            state.unchecked.isEmpty && state.lastComparison.map { time.milliseconds - $0.milliseconds >= Self.comparison * 1_000 } ?? true
        }
        guard isDue else { return }
        let paths = try index.read()
        // All at once: written down one after the other as they are found missing, the list would be sent as often as it is long.
        let (mark, wanted) = state.withLock { ($0.mark, Set($0.wanted.keys)) }
        if !wanted.isSubset(of: paths) {
            try index.admit(mark)
            try index.note(wanted, as: mark)
        }
        state.withLock { state in
            state.lastComparison = time
            state.unchecked = (state.isWhole ? paths : []).union(state.wanted.keys).sorted().reversed()
        }
    }

    /// What must be known of a bucket before anything is written there.
    private func announce(_ tasks: [Task], as mark: BucketMark) throws(ObjectStoreError) {
        let writes = tasks.filter { $0.pendingSince != nil }
        guard !writes.isEmpty else { return }
        try index.admit(mark)
        try index.note(Set(writes.compactMap { $0.wanted == nil ? nil : $0.path }), as: mark)
    }

    /// - Throws: the first failure, when everything that could be done is; of a store that does not answer, not everything is tried.
    private func carryOut(_ tasks: [Task], as mark: BucketMark) throws(ObjectStoreError) {
        let isAway = Atomic<Bool>(false)
        let results = Lanes.map(tasks) { [self] task -> Result<Outcome, ObjectStoreError>? in
            guard !isAway.load(ordering: .relaxed) else { return nil }
            let result = Result { () throws(ObjectStoreError) in try done(task, as: mark) }
            if case .failure(let error) = result, error.code == .unreachable { isAway.store(true, ordering: .relaxed) }
            return result
        }
        let time = now()
        var failure: ObjectStoreError?
        var removed: Set<String> = []
        var untried: [Task] = []
        state.withLock { state in
            for (task, result) in zip(tasks, results) {
                switch result {
                case .success(let outcome)?:
                    state.figures.mended += outcome == .mended ? 1 : 0
                    state.figures.written += outcome == .asItWas ? 0 : 1
                    if task.wanted == nil { removed.insert(task.path) }
                    guard task.pendingSince != nil else { continue }
                    // Unless it is to be something else by now.
                    if state.wanted[task.path] == task.wanted { state.pending[task.path] = nil } else { state.order.append(task.path) }
                case .failure(let error)?:
                    failure = failure ?? error
                    if error.mayHaveArrived { state.doubtful[task.path] = time.advanced(bySeconds: Self.doubt) }
                    if task.pendingSince != nil { state.order.append(task.path) } else { state.unchecked.append(task.path) }
                case nil: untried.append(task)
                }
            }
        }
        putBack(untried, at: time)
        if let failure { throw failure }
        // Those that are to be there again by now stay.
        let gone = state.withLock { state in removed.filter { state.wanted[$0] == nil } }
        if !gone.isEmpty { try index.forget(gone, as: mark) }
    }

    private enum Outcome { case asItWas, written, mended }

    private func done(_ task: Task, as mark: BucketMark) throws(ObjectStoreError) -> Outcome {
        var wasThere = false
        if task.pendingSince == nil {
            let found = try bucket.object(at: task.path)
            if found?.object == task.wanted { return .asItWas }
            // Not there as it should be: from here on it is a change like any other, under the mark.
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
