import GRDB

/// What is bound to the parameters of a statement: `[7, "shop", nil]` to its `?` in their order, or `["app": "shop"]` to each `:app`.
///
/// A statement has parameters of one form, and as many arguments as it has parameters; anything else is an error when it is run.
struct SQLArguments: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    private(set) var values: [SQLValue]
    private(set) var named: [String: SQLValue] = [:]
    /// As an engine takes them, once ``prepare()`` was called.
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

    /// Does now what each use of them has to do else: for those that are bound many at a time, where others wait.
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
