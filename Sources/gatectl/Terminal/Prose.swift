/// Sentences in the columns that a terminal has.
enum Prose {
    /// Columns below which a terminal breaks lines as well as we would.
    private static let narrowest = 40

    /// A line in as many as it needs, broken between words; what goes on stands two columns further in than the line began.
    ///
    /// Not for what people copy, such as a command: a terminal that breaks it by itself copies it whole. A word that is longer than a line
    /// stands alone.
    /// - Parameter width: columns there are; nil, and a line with colours in it, break nothing.
    static func wrapped(_ line: String, width: Int?) -> [String] {
        guard let width, width >= narrowest, line.count > width, !line.contains("\u{1B}") else { return [line] }
        let indent = line.prefix { $0 == " " }.count + 2
        var lines: [String] = []
        var (current, columns, spaces) = ("", 0, -1)
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            spaces += 1
            guard !word.isEmpty else { continue }
            let length = word.count
            if columns > 0, columns + spaces + length > width {
                lines.append(current)
                (current, columns, spaces) = ("", 0, indent)
            }
            current += String(repeating: " ", count: spaces) + word
            columns += spaces + length
            spaces = 0
        }
        return lines + [current]
    }
}
