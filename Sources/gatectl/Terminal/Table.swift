/// Rows with aligned columns.
struct Table {
    let header: [String]
    var rows: [[Cell]] = []
    /// The columns that give way when a row does not fit, in this order.
    let flexible: [Int]

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

    /// - Parameter width: columns there are; nil cuts nothing.
    func lines(style: Style, width: Int?) -> [String] {
        let all = [header.map { Cell($0) }] + rows
        let texts = all.map { row in row.map { style.shown($0.text) } }
        var widths = (0..<header.count).map { column in texts.map { $0[column].count }.max() ?? 0 }
        for column in flexible {
            let excess = widths.reduce(0, +) + 2 * (widths.count - 1) - (width ?? .max)
            if excess > 0 { widths[column] = min(widths[column], max(Self.narrowest, widths[column] - excess)) }
        }
        return zip(all, texts).map { row, texts in
            var line = ""
            for column in 0..<header.count {
                let text = Self.cut(texts[column], to: flexible.contains(column) ? widths[column] : .max, style: style)
                let isLast = column == header.count - 1
                let padding = isLast ? "" : String(repeating: " ", count: max(0, widths[column] - text.count) + 2)
                line += (row[column].tint.map { style.tinted(text, $0) } ?? text) + padding
            }
            return line
        }
    }

    private static func cut(_ text: String, to width: Int, style: Style) -> String {
        guard text.count > width else { return text }
        let mark = style.shown("…")
        return text.prefix(max(0, width - mark.count)) + mark
    }
}
