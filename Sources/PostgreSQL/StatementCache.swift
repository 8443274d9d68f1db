/// The statements that stay prepared in one session, by their text: at most so many, and the one longest unused goes first.
///
/// A name is used once, so that nothing prepared under it before can be meant.
struct StatementCache {
    struct Prepared {
        /// Made of the number of the preparation: `g1`.
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

    /// Takes out the one longest unused while there is no room for one more; the server is to be told to forget it.
    mutating func evict() -> Prepared? {
        guard entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
        entries[oldest.key] = nil
        return oldest.value.prepared
    }

    mutating func remove(_ text: String) { entries[text] = nil }

    mutating func removeAll() { entries = [:] }
}
