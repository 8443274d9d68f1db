import GRDB

/// The values for a statement's parameters: `[7, "shop", nil]` for its `?` in their order, or `["app": "shop"]` for each `:app`.
///
/// A statement has parameters of one form only, and needs exactly one argument for each; anything else is an error when it is run.
struct SQLArguments: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    private(set) var values: [SQLValue]
    private(set) var named: [String: SQLValue] = [:]
    /// In the form that SQLite's engine takes, once ``prepare()`` was called.
    private(set) var prepared: StatementArguments?

    init(_ values: [SQLValue]) { self.values = values }

    init(_ values: some Sequence<some SQLBindable>) { self.values = values.map(\.sqlValue) }

    /// Nil is NULL.
    init(_ values: some Sequence<(any SQLBindable)?>) { self.values = values.map { $0?.sqlValue ?? .null } }

    init(arrayLiteral elements: (any SQLBindable)?...) { self.init(elements) }

    /// Nil is NULL.
    init(_ named: [String: (any SQLBindable)?]) {
        values = []
        self.named = named.mapValues { $0?.sqlValue ?? .null }
    }

    init(dictionaryLiteral elements: (String, (any SQLBindable)?)...) { self.init(Dictionary(elements) { first, _ in first }) }

    var isEmpty: Bool { values.isEmpty && named.isEmpty }

    /// Does in advance what each use would otherwise do: for bulk writes, which others have to wait for.
    mutating func prepare() { prepared = sqlite }

    static func + (first: SQLArguments, second: SQLArguments) -> SQLArguments {
        var sum = first
        sum += second
        return sum
    }

    static func += (first: inout SQLArguments, second: SQLArguments) {
        first.prepared = nil
        first.values += second.values
        first.named.merge(second.named) { _, second in second }
    }
}
