/// Rows with aligned columns.
struct Table {
    let header: [String]
    var rows: [[Cell]] = []
    /// The columns that are shortened when a row does not fit, in this order.
    let flexible: [Int]
    /// The columns that are left out, in this order, while a row does not fit even with the first flexible column shortened.
    var expendable: [Int] = []

    /// No column is cut below this.
    private static let narrowest = 8

    struct Cell {
        var text: String
        var tint: Style.Tint?

        init(_ text: String, _ tint: Style.Tint? = nil) {
            self.text = text
            self.tint = tint
        }
    }

    init(_ header: [String], flexible: [Int]) {
        self.header = header
        self.flexible = flexible
    }

    /// - Parameter width: the terminal's columns; nil cuts nothing.
    func lines(style: Style, width: Int?) -> [String] {
        let all = [header.map { Cell($0) }] + rows
        let texts = shown(style)
        var widths = naturalWidths(texts)
        var columns = Array(0..<header.count)
        for column in expendable where leastWidth(widths, of: columns) > width ?? .max { columns.removeAll { $0 == column } }
        for column in flexible {
            let excess = Self.sum(widths, columns) - (width ?? .max)
            if excess > 0 { widths[column] = min(widths[column], max(Self.narrowest, widths[column] - excess)) }
        }
        return zip(all, texts).map { row, texts in
            var line = ""
            for column in columns {
                let text = Self.cut(texts[column], to: flexible.contains(column) ? widths[column] : .max, style: style)
                let isLast = column == columns.last
                let padding = isLast ? "" : String(repeating: " ", count: max(0, widths[column] - text.count) + 2)
                line += (row[column].tint.map { style.tinted(text, $0) } ?? text) + padding
            }
            return line
        }
    }

    /// Whether it fits with the first flexible column shortened and nothing left out.
    func fits(_ width: Int, style: Style) -> Bool { leastWidth(naturalWidths(shown(style)), of: Array(0..<header.count)) <= width }

    private func leastWidth(_ widths: [Int], of columns: [Int]) -> Int {
        var widths = widths
        if let first = flexible.first { widths[first] = min(widths[first], Self.narrowest) }
        return Self.sum(widths, columns)
    }

    /// The header's and the rows' texts, as the stream can show them.
    private func shown(_ style: Style) -> [[String]] {
        [header.map(style.shown)] + rows.map { row in row.map { style.shown($0.text) } }
    }

    private func naturalWidths(_ texts: [[String]]) -> [Int] {
        header.indices.map { column in texts.lazy.map { $0[column].count }.max() ?? 0 }
    }

    /// The width of a row, with two blanks between columns.
    private static func sum(_ widths: [Int], _ columns: [Int]) -> Int { columns.reduce(0) { $0 + widths[$1] } + 2 * (columns.count - 1) }

    private static func cut(_ text: String, to width: Int, style: Style) -> String {
        guard text.count > width else { return text }
        let mark = style.shown("…")
        return text.prefix(max(0, width - mark.count)) + mark
    }
}
