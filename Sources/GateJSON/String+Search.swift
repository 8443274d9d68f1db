extension StringProtocol {
    /// Whether the bytes of a text occur in this one: linear in its length for a short `text`.
    ///
    /// The standard library's own search needs iOS 16 and macOS 13 where Foundation is not imported. It also compares characters, which
    /// takes time with the square of combining marks in a row, so it is not for texts that come from outside.
    package func hasBytes(of text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: wanted) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
