/// Sentences in the columns that a terminal has.
enum Prose {
    /// Columns below which a terminal breaks lines as well as we would.
    private static let narrowest = 40

    /// A line in as many as it needs, broken between words; what goes on stands two columns further in than the line began.
    ///
    /// Not for what people copy, such as a command: a terminal that breaks it by itself copies it whole.
    /// - Parameter width: columns there are; nil, and a line with colours in it, break nothing.
    static func wrapped(_ line: String, width: Int?) -> [String] {
        guard let width, width >= narrowest, !line.contains("\u{1B}") else { return [line] }
        let indent = String(repeating: " ", count: line.prefix { $0 == " " }.count + 2)
        var lines: [String] = []
        var rest = line[...]
        while rest.count > width {
            let text = rest.drop { $0 == " " }
            let fits = rest.index(rest.startIndex, offsetBy: width)
            guard text.startIndex < fits else { break }
            // A word that is longer than a line stands alone.
            let place = rest[text.startIndex...fits].lastIndex(of: " ") ?? rest[fits...].firstIndex(of: " ")
            guard let place else { break }
            lines.append(String(rest[..<place].reversed().drop { $0 == " " }.reversed()))
            rest = (indent + rest[place...].drop { $0 == " " })[...]
        }
        return lines + [String(rest)]
    }
}
