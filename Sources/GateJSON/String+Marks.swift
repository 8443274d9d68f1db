extension String {
    /// The most combining marks that a text from outside may have in a row. More than a message has scalars, so that whatever a field takes
    /// is judged by the field; Unicode's own limit for texts in streams is 30 (UAX #15, section 13).
    public static let mostMarksInARow = 512

    /// Whether it has more than ``mostMarksInARow``.
    ///
    /// Comparing, hashing and normalising sort the marks behind a letter, which takes time with the square of their number: ten seconds for
    /// a name of a quarter of a megabyte.
    public var hasEndlessMarks: Bool {
        // Nearly always it is too short: no mark has fewer than two bytes.
        guard utf8.count > 2 * Self.mostMarksInARow else { return false }
        var row = 0
        for scalar in unicodeScalars {
            row = scalar.isMark ? row + 1 : 0
            if row > Self.mostMarksInARow { return true }
        }
        return false
    }
}

extension Unicode.Scalar {
    /// Whether it is sorted among others when a text is normalised.
    fileprivate var isMark: Bool {
        guard value >= 0x300 else { return false }
        // These are no marks themselves, and become two each.
        return properties.canonicalCombiningClass != .notReordered || [0xF73, 0xF75, 0xF81].contains(value)
    }
}
