/// The conditions of a list that is read from its newest end, with the arguments `:after`, `:before` and `:limit`.
struct NewestFirst {
    private var conditions: [String]
    private var named: [String: (any SQLBindable)?]

    /// - Parameters:
    ///   - sequence: the column with the sequences.
    ///   - after: nil for the beginning.
    ///   - before: nil for the end.
    init(_ sequence: String, after: Int?, before: Int?, limit: Int) {
        conditions = ["\(sequence) > :after", "\(sequence) < :before"]
        named = ["after": after ?? 0, "before": before ?? Int.max, "limit": limit]
    }

    /// Adds a condition with its argument; nothing for nil.
    mutating func add(_ condition: String, _ name: String, _ value: (any SQLBindable)?) {
        if value != nil { conditions.append(condition) }
        self.name(name, value)
    }

    /// Adds an argument alone; nothing for nil.
    mutating func name(_ name: String, _ value: (any SQLBindable)?) {
        if let value { named.updateValue(value, forKey: name) }
    }

    /// All of the conditions, as one.
    var condition: String { conditions.joined(separator: " AND ") }

    var arguments: SQLArguments { SQLArguments(named) }

    /// The newest of several walks, at most `:limit`. SQLite merges them as it goes; PostgreSQL would collect each completely and then
    /// sort, so there each walk gets the limit as well.
    /// - Parameter walks: SELECTs of one column, which may give a row more than once.
    static func merged(_ walks: [String], on kind: SQLConnection.Kind) -> String {
        let newest = " ORDER BY 1 DESC LIMIT :limit"
        let parts =
            switch kind {
            case .sqlite: walks
            // GROUP BY, since a repeated row must not count towards the limit.
            case .postgresql: walks.map { "(\($0) GROUP BY 1\(newest))" }
            }
        return parts.joined(separator: " UNION ") + newest
    }
}
