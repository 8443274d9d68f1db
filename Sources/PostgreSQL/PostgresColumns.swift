/// The columns of a result, which all its rows share. Thread rule: any; never changes.
package final class PostgresColumns: Sendable {
    /// In the result's order; a name may occur more than once.
    package let names: [String]
    private let indexes: [String: Int]

    init(names: [String]) {
        self.names = names
        indexes = Dictionary(names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The first column of that name; nil where there is none.
    package func index(of name: String) -> Int? { indexes[name] }
}
