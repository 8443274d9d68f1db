/// Something in a database that is not as Gatehouse left it.
package struct StoreFault: Sendable, Hashable, CustomStringConvertible {
    /// The table, `schema`, or `database` for the file as a whole.
    package let place: String
    /// The row, as `3` or `shop/ios`; nil when it is not about a single row.
    package let row: String?
    /// What is wrong, as the end of a sentence.
    package let problem: String
    /// Whether it is an unreadable row, which `gatehouse repair` repairs or notes.
    package private(set) var isUnreadable = false

    /// Whether an anchor or a feed is ahead of the database: an older database has replaced a newer one, or its end was cut off.
    package private(set) var isBehindAnchor = false

    package init(place: String, row: String? = nil, problem: String) {
        self.place = place
        self.row = row
        self.problem = problem
    }

    init(place: String, row: Int, problem: String) { self.init(place: place, row: String(row), problem: problem) }

    /// A row that cannot be read.
    package static func unreadable(_ place: String, row: String, _ problem: String) -> StoreFault {
        var fault = StoreFault(place: place, row: row, problem: problem)
        fault.isUnreadable = true
        return fault
    }

    /// A chain that ends before an anchor.
    static func behindAnchor(_ place: String, row: Int, _ problem: String) -> StoreFault {
        var fault = StoreFault(place: place, row: row, problem: problem)
        fault.isBehindAnchor = true
        return fault
    }

    /// The fault of a history that ends before the feeds that were published from it; nil where it does not.
    /// - Parameters:
    ///   - last: the last change in the history.
    ///   - published: the last change that a feed carries; 0 when none does.
    package static func behindFeeds(after last: Int, upTo published: Int) -> StoreFault? {
        last < published ? behindAnchor("changes", row: last + 1, "is missing: feeds were published up to \(published)") : nil
    }

    /// `changes row 3`, the row's name, whatever is wrong with it.
    package var name: String { place + (row.map { " row \($0)" } ?? "") }

    /// `changes row 3: hash does not match`.
    package var description: String { "\(name): \(problem)" }
}
