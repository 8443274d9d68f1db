/// The statements that stay prepared in one session, by their text: at most `capacity`; the least recently used goes first.
///
/// Each name is used only once, so it can never refer to an earlier statement.
struct StatementCache {
    struct Prepared {
        /// Made from the number of the preparation: `g1`.
        let name: String
        let parameters: [PostgresType]
    }

    let capacity: Int
    private var entries: [String: (prepared: Prepared, lastUse: UInt64)] = [:]
    private var uses: UInt64 = 0
    private var names: UInt64 = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { entries.count }

    mutating func use(_ text: String) -> Prepared? {
        guard let prepared = entries[text]?.prepared else { return nil }
        uses += 1
        entries[text]?.lastUse = uses
        return prepared
    }

    mutating func newName() -> String {
        names += 1
        return "g\(names)"
    }

    mutating func insert(_ prepared: Prepared, for text: String) {
        uses += 1
        entries[text] = (prepared, uses)
    }

    /// Removes the least recently used while there is no room for one more; the caller tells the server to forget it.
    mutating func evict() -> Prepared? {
        guard entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
        entries[oldest.key] = nil
        return oldest.value.prepared
    }

    mutating func remove(_ text: String) { entries[text] = nil }

    mutating func removeAll() { entries = [:] }
}
