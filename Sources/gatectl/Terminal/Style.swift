/// What one stream can show: colour, and characters beyond ASCII.
struct Style: Sendable {
    var colour: Bool
    var unicode: Bool

    /// - Parameters:
    ///   - isTerminal: whether the stream that is written to is one.
    ///   - refused: `--no-color` was given.
    /// - Returns: colour only on a terminal unless `FORCE_COLOR` asks for it; never with `--no-color`, a non-empty `NO_COLOR`
    ///   (no-color.org) or `TERM=dumb`.
    static func detect(environment: [String: String], isTerminal: Bool, refused: Bool) -> Style {
        func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        let isDumb = environment["TERM"] == "dumb"
        let isForced = isSet("FORCE_COLOR") && environment["FORCE_COLOR"] != "0"
        return Style(colour: !refused && !isSet("NO_COLOR") && !isDumb && (isTerminal || isForced), unicode: isUTF8(environment))
    }

    /// POSIX 8.2: the first of the three that is set and not empty counts, and names its codeset after a dot: `de_DE.UTF-8@euro`. macOS
    /// sets `LC_CTYPE` to the codeset alone.
    private static func isUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let codeset = locale.prefix { $0 != "@" }.split(separator: ".").last?.lowercased()
        return codeset == "utf-8" || codeset == "utf8"
    }

    enum Tint: String, CaseIterable {
        case blocked = "31"
        case update = "33"
        case notice = "36"
        case open = "32"
        case strong = "1"
    }

    func tinted(_ text: String, _ tint: Tint) -> String { colour ? "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m" : text }

    /// `text` as this stream can show it: in ASCII, other signs stand in for our own. Of control characters only our own colours remain,
    /// also in what nobody thought of as foreign text (``safe(_:)``).
    func shown(_ text: String) -> String {
        let text = Self.withoutControls(text, except: colour ? Self.colours : [])
        guard !unicode else { return text }
        return text.unicodeScalars.map { Self.signs[$0] ?? String($0) }.joined()
    }

    /// `text` without what could move the cursor, hide something or change the terminal's settings: control characters except line breaks,
    /// tabs and `colours`, our own, and marks that change the direction of writing.
    static func withoutControls(_ text: String, except colours: [String] = []) -> String {
        // Nearly always there are none, and the bytes tell so without taking the text apart.
        guard hasControl(text) else { return text }
        var kept = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.first {
            if scalar == "\u{1B}", let colour = colours.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                kept.append(contentsOf: colour.unicodeScalars)
                rest = rest.dropFirst(colour.unicodeScalars.count)
                continue
            }
            kept.append(scalar != "\t" && scalar != "\n" && isControl(scalar) ? "?" : scalar)
            rest.removeFirst()
        }
        return String(kept)
    }

    private static let colours = Tint.allCases.map { "\u{1B}[\($0.rawValue)m" } + ["\u{1B}[0m"]

    private static let signs: [Unicode.Scalar: String] = [
        "■": "#", "▲": "^", "◆": "*", "○": "o", "→": "->", "–": "-", "·": "-", "“": "\"", "”": "\"", "…": "...", "≤": "<=", "⏎": " ",
        "×": "x", "◷": "@", "█": "#",
    ]

    /// Text that people or servers wrote, safe for a terminal: on one line, and without control characters that could move the cursor or
    /// colour our own words.
    static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { safe.append(scalar == "\n" ? "⏎" : isControl(scalar) ? "?" : scalar) }
        return String(safe)
    }

    /// Whether `text` has a character that ``isControl(_:)`` names, besides line breaks and tabs, looked for in its UTF-8.
    private static func hasControl(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.contains { index in
                switch bytes[index] {
                case 0x09, 0x0A: false
                case 0x00...0x1F, 0x7F: true
                // U+0080 to U+009F. Text is well-formed, so the bytes that a first one promises are there.
                case 0xC2: bytes[index + 1] <= 0x9F
                // U+202A to U+202E, U+2066 to U+2069.
                case 0xE2:
                    bytes[index + 1] == 0x80 && (0xAA...0xAE).contains(bytes[index + 2])
                        || bytes[index + 1] == 0x81 && (0xA6...0xA9).contains(bytes[index + 2])
                default: false
                }
            }
        }
    }

    /// Whether a terminal would do something in place of showing it, or show what follows in another direction.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
