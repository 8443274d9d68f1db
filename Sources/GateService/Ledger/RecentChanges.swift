import GateModel

/// The newest changes, in memory, for everybody who polls for news every second: SQLite is not asked for them.
struct RecentChanges: Sendable {
    /// Most bytes of documents that are kept.
    static let room = 8_388_608

    private var changes: [(change: Change, bytes: Int)] = []
    /// Everything after this sequence is here. The only gaps are those that restores leave.
    private(set) var floor: Int
    private let capacity: Int
    private let room: Int
    /// Size of the documents of ``changes``.
    private(set) var bytes = 0

    /// - Parameters:
    ///   - changes: oldest first, without gaps.
    ///   - floor: sequence of the last change before them.
    ///   - room: most bytes of documents to keep. A change that is larger by itself is not kept: whoever asks for it has to start again.
    init(_ changes: [Change], floor: Int, capacity: Int = 1_000, room: Int = Self.room) {
        self.floor = floor
        self.capacity = capacity
        self.room = room
        for change in changes { append(change, bytes: change.targets.reduce(0) { $0 + $1.bytes }) }
    }

    /// - Parameter bytes: about the size of its document.
    mutating func append(_ change: Change, bytes: Int) {
        // 1 KiB for what a change has besides its targets.
        let size = bytes + 1_024
        changes.append((change, size))
        self.bytes += size
        // Dropping many at a time keeps the cost of one change small.
        if changes.count > capacity * 2 { drop(changes.count - capacity) }
        guard self.bytes > room else { return }
        var (surplus, left) = (0, self.bytes)
        while left > room / 4 * 3, surplus < changes.count {
            left -= changes[surplus].bytes
            surplus += 1
        }
        drop(surplus)
    }

    private mutating func drop(_ surplus: Int) {
        floor = changes[surplus - 1].change.sequence
        bytes -= changes[..<surplus].reduce(0) { $0 + $1.bytes }
        changes.removeFirst(surplus)
    }

    /// Some changes in a row, oldest first.
    struct Run: Sendable {
        let changes: [Change]
        /// Whether there are more after them.
        let isCut: Bool
    }

    /// The changes after `sequence`, as many as asked for; nil when that is too far back, or in the future, and the caller must start
    /// again.
    /// - Parameter bytes: most bytes of documents; the first change is included however large it is.
    func after(_ sequence: Int, newest: Int, limit: Int, bytes: Int = .max) -> Run? {
        guard sequence >= floor, sequence <= newest else { return nil }
        let start = changes.partitioningIndex { $0.change.sequence > sequence }
        // A caller who saw a change that a restore dropped has seen something that no longer exists.
        if start < changes.count, sequence > changes[start].change.previousSequence { return nil }
        var run: [Change] = []
        var total = 0
        for (change, size) in changes[start...] {
            total += size
            if run.count == limit || (total > bytes && !run.isEmpty) { return Run(changes: run, isCut: true) }
            run.append(change)
        }
        return Run(changes: run, isCut: false)
    }
}

extension Array {
    /// The index of the first element for which `isBehind` is true; it must then be true for all elements after it.
    fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
