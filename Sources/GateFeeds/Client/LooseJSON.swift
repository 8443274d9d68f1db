import GateJSON
import GateModel

/// JSON as the client libraries' parsers read it; none of them is strict (wire formats 1.1, 2.1, 4.1).
///
/// Only the result of parsing is modelled, not the wording of the errors.
struct LooseJSON {
    enum Dialect {
        /// Foundation's `JSONSerialization` and `JSONDecoder`: strict, except for a comma after the last value and duplicate names.
        case apple(EqualNames)
        /// Gson's reader, made lenient by `fromJson`: comments, text unquoted or in single quotes, `=` and `;`, the `)]}'` prefix. What
        /// follows the value is read strictly again.
        case gson
        /// Android's `org.json` (`JSONTokener.java`): just as lenient, also reads numbers in base 8 and 16, and ignores what follows the
        /// value.
        case orgJSON

        /// Which of two members with equal names counts.
        enum EqualNames { case first, last }

        var isStrict: Bool { if case .apple = self { true } else { false } }
    }

    /// Text that even this parser rejects.
    struct SyntaxError: Error {}

    private let dialect: Dialect
    private let scalars: [Unicode.Scalar]
    private var position = 0

    /// The document's value; nil for an empty document.
    static func read(_ text: String, _ dialect: Dialect) throws(SyntaxError) -> JSONValue? {
        var reader = LooseJSON(text, dialect)
        try reader.skip()
        guard reader.next != nil else { return nil }
        let value = try reader.value(depth: 0)
        if case .orgJSON = dialect { return value }
        reader.skipSpace()
        guard reader.next == nil else { throw SyntaxError() }
        return value
    }

    private init(_ text: String, _ dialect: Dialect) {
        var scalars = Array(text.unicodeScalars)
        if !dialect.isStrict, scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        let prefix = Array(")]}'\n".unicodeScalars)
        if case .gson = dialect, scalars.starts(with: prefix) { scalars.removeFirst(prefix.count) }
        self.dialect = dialect
        self.scalars = scalars
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// Whether another member or element follows; if not, consumes the closing character.
    private mutating func goesOn(to end: Unicode.Scalar) throws(SyntaxError) -> Bool {
        try skip()
        guard take(",") || !dialect.isStrict && take(";") else {
            guard take(end) else { throw SyntaxError() }
            return false
        }
        guard dialect.isStrict else { return true }
        skipSpace()
        return !take(end)
    }

    private mutating func skipSpace() {
        while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { position += 1 }
    }

    /// Skips white space and, if the dialect has them, comments.
    private mutating func skip() throws(SyntaxError) {
        skipSpace()
        while !dialect.isStrict, let scalar = next {
            switch scalar {
            case "#": skipLine()
            case "/":
                guard position + 1 < scalars.count else { throw SyntaxError() }
                switch scalars[position + 1] {
                case "/": skipLine()
                case "*":
                    position += 2
                    while !(next == "*" && position + 1 < scalars.count && scalars[position + 1] == "/") {
                        guard next != nil else { throw SyntaxError() }
                        position += 1
                    }
                    position += 2
                default: throw SyntaxError()
                }
            default: return
            }
            skipSpace()
        }
    }

    private mutating func skipLine() {
        while let scalar = next, scalar != "\n", scalar != "\r" { position += 1 }
    }

    private mutating func value(depth: Int) throws(SyntaxError) -> JSONValue {
        // Far deeper than any feed; it only keeps the recursion from exhausting the stack.
        guard depth < 255 else { throw SyntaxError() }
        switch next {
        case "{": return try object(depth: depth + 1)
        case "[": return try array(depth: depth + 1)
        case "\"": return .string(try quoted())
        case "'" where !dialect.isStrict: return .string(try quoted())
        default: return try literal(try unquoted())
        }
    }

    // MARK: Objects and arrays

    private mutating func object(depth: Int) throws(SyntaxError) -> JSONValue {
        position += 1
        var object = JSONObject()
        try skip()
        if take("}") { return .object(object) }
        while true {
            try skip()
            let name = try name()
            try skip()
            if !dialect.isStrict, take("=") {
                _ = take(">")
            } else if take(":") {
                // org.json accepts `>` after either character.
                if case .orgJSON = dialect { _ = take(">") }
            } else {
                throw SyntaxError()
            }
            try skip()
            let value = try value(depth: depth)
            if case .apple(.first) = dialect, object[name] != nil {} else { object[name] = value }
            guard try goesOn(to: "}") else { return .object(object) }
        }
    }

    private mutating func name() throws(SyntaxError) -> String {
        switch dialect {
        case .apple:
            guard next == "\"" else { throw SyntaxError() }
            return try quoted()
        case .gson: return next == "\"" || next == "'" ? try quoted() : try unquoted()
        case .orgJSON:
            // A name is read like any value, and must turn out to be a text.
            guard case .string(let name) = try value(depth: 254) else { throw SyntaxError() }
            return name
        }
    }

    private mutating func array(depth: Int) throws(SyntaxError) -> JSONValue {
        position += 1
        var items: [JSONValue] = []
        try skip()
        if take("]") { return .array(items) }
        while true {
            try skip()
            // An element left empty is null.
            let isEmpty = !dialect.isStrict && (next == "," || next == ";" || next == "]")
            items.append(isEmpty ? .null : try value(depth: depth))
            guard try goesOn(to: "]") else { return .array(items) }
        }
    }

    // MARK: Literals

    private mutating func unquoted() throws(SyntaxError) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next, !"/\\;#={}[]:, \t\u{C}\r\n".unicodeScalars.contains(scalar) {
            text.append(scalar)
            position += 1
        }
        guard !text.isEmpty else { throw SyntaxError() }
        return String(text)
    }

    private func literal(_ text: String) throws(SyntaxError) -> JSONValue {
        switch dialect.isStrict ? text : text.lowercased() {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        // The reason why it is not a number does not matter to the client.
        let number = (try? JSONReader.read(text)).flatMap { if case .number = $0 { $0 } else { nil } }
        switch dialect {
        case .apple:
            guard let number else { throw SyntaxError() }
            return number
        case .gson: return number ?? .string(text)
        case .orgJSON: return Self.javaNumber(text) ?? number ?? .string(text)
        }
    }

    /// A number as in `JSONTokener.readLiteral`: `Long.parseLong` in base 8, 10 or 16, otherwise `Double.valueOf`. Nil for a text.
    private static func javaNumber(_ text: String) -> JSONValue? {
        let lower = text.lowercased()
        let whole: Int64? =
            if text.contains(".") { nil } else if lower.hasPrefix("0x") {
                Int64(text.dropFirst(2), radix: 16)
            } else if text.hasPrefix("0"), text.utf8.count > 1 {
                Int64(text.dropFirst(), radix: 8)
            } else { Int64(text) }
        if let whole { return .number(String(whole)) }
        // A fraction, even if it is written without one: versions are not read from it.
        let digits =
            text.first.map { "0123456789+-.".contains($0) } == true
            ? (lower.hasSuffix("f") || lower.hasSuffix("d")) && !lower.hasPrefix("0x") ? String(text.dropLast()) : text : ""
        guard let fraction = Double(digits), fraction.isFinite else { return nil }
        return .number(String(fraction))
    }

    // MARK: Strings

    private mutating func quoted() throws(SyntaxError) -> String {
        let quote = scalars[position]
        position += 1
        var units: [UInt16] = []
        while let scalar = next {
            position += 1
            if scalar == quote {
                let text = dialect.isStrict ? String(strictly: units) : String(decoding: units, as: UTF16.self)
                // No library minds endless marks; what is done here with such a name or text would take minutes.
                guard let text, !text.hasEndlessMarks else { throw SyntaxError() }
                return text
            }
            if dialect.isStrict, scalar.value < 0x20 { throw SyntaxError() }
            if scalar == "\\" { units.append(try escape()) } else { units.append(contentsOf: UTF16.encode(scalar).map(Array.init) ?? []) }
        }
        throw SyntaxError()
    }

    private mutating func escape() throws(SyntaxError) -> UInt16 {
        guard let scalar = next else { throw SyntaxError() }
        position += 1
        switch scalar {
        case "n": return 0x0A
        case "t": return 0x09
        case "r": return 0x0D
        case "b": return 0x08
        case "f": return 0x0C
        case "\"", "\\", "/": return UInt16(scalar.value)
        case "u":
            guard position + 4 <= scalars.count else { throw SyntaxError() }
            var digits = String.UnicodeScalarView()
            digits.append(contentsOf: scalars[position..<position + 4])
            guard digits.allSatisfy(\.properties.isASCIIHexDigit), let unit = UInt16(String(digits), radix: 16) else { throw SyntaxError() }
            position += 4
            return unit
        default:
            switch dialect {
            case .gson where scalar == "'" || scalar == "\n": return UInt16(scalar.value)
            // Any other escaped character stands for itself.
            case .orgJSON where scalar.value <= 0xFFFF: return UInt16(scalar.value)
            default: throw SyntaxError()
            }
        }
    }
}
