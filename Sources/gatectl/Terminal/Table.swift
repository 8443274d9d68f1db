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
        let texts = all.map { row in row.map { style.shown($0.text) } }
        var widths = naturalWidths(style)
        var columns = Array(0..<header.count)
        for column in expendable where leastWidth(style, of: columns) > width ?? .max { columns.removeAll { $0 == column } }
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
    func fits(_ width: Int, style: Style) -> Bool { leastWidth(style, of: Array(0..<header.count)) <= width }

    private func leastWidth(_ style: Style, of columns: [Int]) -> Int {
        var widths = naturalWidths(style)
        if let first = flexible.first { widths[first] = min(widths[first], Self.narrowest) }
        return Self.sum(widths, columns)
    }

    private func naturalWidths(_ style: Style) -> [Int] {
        header.indices.map { column in ([header[column]] + rows.map { $0[column].text }).map { style.shown($0).count }.max() ?? 0 }
    }

    /// The width of a row, with two blanks between columns.
    private static func sum(_ widths: [Int], _ columns: [Int]) -> Int { columns.reduce(0) { $0 + widths[$1] } + 2 * (columns.count - 1) }

    private static func cut(_ text: String, to width: Int, style: Style) -> String {
        guard text.count > width else { return text }
        let mark = style.shown("…")
        return text.prefix(max(0, width - mark.count)) + mark
    }
}
