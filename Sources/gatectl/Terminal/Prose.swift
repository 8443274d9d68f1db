/// Fits sentences into a terminal's columns.
enum Prose {
    /// With fewer columns, the terminal breaks lines as well as we would.
    private static let narrowest = 40

    /// Breaks a line between words into as many lines as it needs; those after the first are indented two columns more.
    ///
    /// Not for what people copy, such as a command: if the terminal breaks it instead, it is copied whole. A word longer than a line gets
    /// one of its own.
    /// - Parameter width: the terminal's columns. With nil nothing is broken, and a line with colours in it never is.
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
