import GateJSON

/// Translates our statements for PostgreSQL: each `?` becomes `$1`, `$2` … in order; each `:name` becomes the number that the name got at
/// its first use.
///
/// Quotes (`'…'`, `E'…'`, `"…"`, `$tag$…$tag$`) and comments (`/*` and `*/` may be nested) are left unchanged, and so are PostgreSQL's `::`
/// and `:=`. Statements must not use PostgreSQL's operators with a `?`, nor `[1:n]`, as `:n` would be taken for a name.
struct SQLTranslation: Sendable, Hashable {
    enum Parameters: Sendable, Hashable {
        /// That many `?`.
        case places(Int)
        /// In the order of their numbers, each once.
        case names([String])
    }

    let text: String
    let parameters: Parameters
    /// Whether a second statement follows a semicolon.
    let isScript: Bool
    /// Whether it is an INSERT, UPDATE or DELETE, also after a WITH: these count the rows they touch.
    let isCounting: Bool

    /// - Throws: ``SQLError/Kind/other`` for a text with both forms of parameters, or with numbered ones (`?1`).
    init(_ statement: String) throws {
        var scanner = Scanner(Array(statement.utf8))
        try scanner.scan()
        text = String(decoding: scanner.written, as: UTF8.self)
        parameters = scanner.names.isEmpty ? .places(scanner.places) : .names(scanner.names)
        isScript = scanner.isScript
        isCounting = ["INSERT", "UPDATE", "DELETE"].contains(scanner.verb)
    }

    /// Scans a text once. Everything it looks for is ASCII, so it works on bytes.
    private struct Scanner {
        private let bytes: [UInt8]
        private var place = 0
        private(set) var written: [UInt8] = []
        private(set) var places = 0
        private(set) var names: [String] = []
        private var numbers: [String: Int] = [:]
        private var isBehindSemicolon = false
        private(set) var isScript = false
        private var depth = 0
        private var isFirstWord = true
        /// The first word; after a WITH, the first word that can begin its statement.
        private(set) var verb: String?

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            written.reserveCapacity(bytes.count + 16)
        }

        mutating func scan() throws {
            while place < bytes.count {
                let byte = bytes[place]
                switch byte {
                case UInt8(ascii: "-") where next == UInt8(ascii: "-"): copy(to: end(ofLine: place))
                case UInt8(ascii: "/") where next == UInt8(ascii: "*"): copy(to: endOfComment())
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): copy(to: place + 1)
                case UInt8(ascii: ";"):
                    isBehindSemicolon = true
                    copy(to: place + 1)
                default:
                    isScript = isScript || isBehindSemicolon
                    try scanWord(byte)
                }
            }
        }

        private mutating func scanWord(_ byte: UInt8) throws {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): copy(to: end(ofQuoted: byte, escapes: false))
            case UInt8(ascii: "$"): copy(to: endOfDollarQuote() ?? place + 1)
            case UInt8(ascii: "?"):
                if let next, next.isASCIIDigit { throw Self.error("parameters cannot be numbered") }
                places += 1
                try replace(1, with: places)
            case UInt8(ascii: ":"): try scanColon()
            case UInt8(ascii: "("):
                depth += 1
                copy(to: place + 1)
            case UInt8(ascii: ")"):
                depth -= 1
                copy(to: place + 1)
            case _ where Self.isOfName(byte):
                let end = end(ofName: place)
                // E'…' has backslash escapes.
                if end == place + 1, byte | 0x20 == UInt8(ascii: "e"), end < bytes.count, bytes[end] == UInt8(ascii: "'") {
                    copy(to: end)
                    return copy(to: self.end(ofQuoted: UInt8(ascii: "'"), escapes: true))
                }
                note(String(decoding: bytes[place..<end], as: UTF8.self).uppercased())
                copy(to: end)
            default: copy(to: place + 1)
            }
        }

        private mutating func scanColon() throws {
            guard let next else { return copy(to: place + 1) }
            if next == UInt8(ascii: ":") || next == UInt8(ascii: "=") { return copy(to: place + 2) }
            guard Self.isOfName(next), !next.isASCIIDigit else { return copy(to: place + 1) }
            let end = end(ofName: place + 1)
            let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
            if numbers[name] == nil {
                names.append(name)
                numbers[name] = names.count
            }
            try replace(end - place, with: numbers[name] ?? 0)
        }

        // MARK: Words

        private mutating func note(_ word: String) {
            guard depth == 0 else { return }
            if isFirstWord {
                isFirstWord = false
                verb = word
            } else if verb == "WITH", ["INSERT", "UPDATE", "DELETE", "SELECT", "VALUES"].contains(word) {
                verb = word
            }
        }

        // MARK: Writing

        private mutating func copy(to end: Int) {
            written.append(contentsOf: bytes[place..<end])
            place = end
        }

        private mutating func replace(_ length: Int, with number: Int) throws {
            guard places == 0 || names.isEmpty else { throw Self.error("parameters are written as ? or by name, not both") }
            written.append(contentsOf: "$\(number)".utf8)
            place += length
            // A digit directly after it would make it another parameter.
            if place < bytes.count, bytes[place].isASCIIDigit { written.append(UInt8(ascii: " ")) }
        }

        private static func error(_ message: String) -> SQLError {
            // 42601: syntax error.
            SQLError(kind: .other, code: .postgresql("42601"), message: message)
        }

        // MARK: Looking

        private var next: UInt8? { place + 1 < bytes.count ? bytes[place + 1] : nil }

        private func end(ofLine start: Int) -> Int { bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }

        private func endOfComment() -> Int {
            var (depth, index) = (0, place)
            while index + 1 < bytes.count {
                switch (bytes[index], bytes[index + 1]) {
                case (UInt8(ascii: "/"), UInt8(ascii: "*")): (depth, index) = (depth + 1, index + 2)
                case (UInt8(ascii: "*"), UInt8(ascii: "/")):
                    (depth, index) = (depth - 1, index + 2)
                    if depth == 0 { return index }
                default: index += 1
                }
            }
            return bytes.count
        }

        /// A doubled quote is read as two adjacent strings, which comes to the same.
        private func end(ofQuoted quote: UInt8, escapes: Bool) -> Int {
            var index = place + 1
            while index < bytes.count, bytes[index] != quote {
                index += escapes && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            // After the first half of a doubled quote, backslashes still count.
            if escapes, index + 1 < bytes.count, bytes[index + 1] == quote {
                var rest = self
                rest.place = index + 1
                return rest.end(ofQuoted: quote, escapes: true)
            }
            return min(index + 1, bytes.count)
        }

        /// Nil where the dollar does not begin a quote.
        private func endOfDollarQuote() -> Int? {
            var index = place + 1
            if index < bytes.count, bytes[index].isASCIIDigit { return nil }
            while index < bytes.count, Self.isOfName(bytes[index]), bytes[index] != UInt8(ascii: "$") { index += 1 }
            guard index < bytes.count, bytes[index] == UInt8(ascii: "$") else { return nil }
            let tag = bytes[place...index]
            var start = index + 1
            while let found = bytes[start...].firstIndex(of: UInt8(ascii: "$")) {
                if bytes[found...].starts(with: tag) { return found + tag.count }
                start = found + 1
            }
            return bytes.count
        }

        /// A name may contain dollars, which do not begin a quote.
        private func end(ofName start: Int) -> Int {
            var index = start
            while index < bytes.count, Self.isOfName(bytes[index]) || index > start && bytes[index] == UInt8(ascii: "$") { index += 1 }
            return index
        }

        private static func isOfName(_ byte: UInt8) -> Bool {
            byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") || byte >= 0x80
        }
    }
}
