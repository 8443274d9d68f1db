import GateModel

/// The newest changes, in memory, for everybody who polls for news every second: SQLite is not asked for them.
struct RecentChanges: Sendable {
    private var changes: [Change] = []
    /// Everything after this sequence is here.
    private(set) var floor: Int
    private let capacity: Int

    /// - Parameters:
    ///   - changes: oldest first, without gaps.
    ///   - floor: sequence of the last change before them.
    init(_ changes: [Change], floor: Int, capacity: Int = 1_000) {
        self.changes = changes
        self.floor = floor
        self.capacity = capacity
    }

    mutating func append(_ change: Change) {
        changes.append(change)
        // Dropping many at a time keeps the cost of one change small.
        if changes.count > capacity * 2 {
            let surplus = changes.count - capacity
            floor = changes[surplus - 1].sequence
            changes.removeFirst(surplus)
        }
    }

    /// The changes after `sequence`, oldest first, at most `limit`; nil when that is too far back, or in the future, and the caller must start anew.
    func after(_ sequence: Int, newest: Int, limit: Int) -> [Change]? {
        guard sequence >= floor, sequence <= newest else { return nil }
        let start = changes.firstIndex { $0.sequence > sequence } ?? changes.endIndex
        return Array(changes[start...].prefix(limit))
    }
}
