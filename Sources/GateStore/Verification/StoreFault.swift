/// Something in a database that is not as Gatehouse left it.
package struct StoreFault: Sendable, Hashable, CustomStringConvertible {
    /// The table, `schema`, or `database` for the file as a whole.
    package let place: String
    /// The row, as `3` or `shop/ios`; nil when it is no single row.
    package let row: String?
    /// What is wrong, as the end of a sentence.
    package let problem: String

    package init(place: String, row: String? = nil, problem: String) {
        self.place = place
        self.row = row
        self.problem = problem
    }

    init(place: String, row: Int, problem: String) { self.init(place: place, row: String(row), problem: problem) }

    /// `changes row 3: hash does not match`.
    package var description: String { "\(place)\(row.map { " row \($0)" } ?? ""): \(problem)" }
}
