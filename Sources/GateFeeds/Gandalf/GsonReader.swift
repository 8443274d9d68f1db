import GateJSON
import GateModel

/// JSON as Gson's lenient reader takes it, which Gandalf uses: comments, unquoted and single-quoted text, a byte order mark and the
/// `)]}'` prefix pass; of two equal names the last wins (wire formats 2.1).
struct GsonReader {
    /// Text that even Gson refuses.
    struct SyntaxError: Error {}

    private let scalars: [Unicode.Scalar]
    private var position = 0

    /// The document's value, or nil for an empty document.
    static func read(_ bytes: [UInt8]) throws(SyntaxError) -> JSONValue? {
        var reader = GsonReader(String(decoding: bytes, as: UTF8.self))
        try reader.skip()
        guard reader.next != nil else { return nil }
        let value = try reader.value(depth: 0)
        try reader.skip()
        guard reader.next == nil else { throw SyntaxError() }
        return value
    }

    private init(_ text: String) {
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        let prefix = Array(")]}'\n".unicodeScalars)
        if scalars.starts(with: prefix) { scalars.removeFirst(prefix.count) }
        self.scalars = scalars
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// Skips white space and comments.
    private mutating func skip() throws(SyntaxError) {
        while let scalar = next {
            switch scalar {
            case " ", "\t", "\n", "\r": position += 1
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
        }
    }

    private mutating func skipLine() {
        while let scalar = next, scalar != "\n", scalar != "\r" { position += 1 }
    }

    private mutating func value(depth: Int) throws(SyntaxError) -> JSONValue {
        // Far above any feed; it only keeps recursion from running out of stack.
        guard depth < 255 else { throw SyntaxError() }
        switch next {
        case "{": return try object(depth: depth + 1)
        case "[": return try array(depth: depth + 1)
        case "\"", "'": return .string(try quoted())
        default: return literal(try unquoted())
        }
    }

    private func literal(_ text: String) -> JSONValue {
        switch text.lowercased() {
        case "null": .null
        case "true": .bool(true)
        case "false": .bool(false)
        default: (try? JSONReader.read(text)).flatMap { if case .number = $0 { $0 } else { nil } } ?? .string(text)  // no number: unquoted text
        }
    }

    private mutating func object(depth: Int) throws(SyntaxError) -> JSONValue {
        position += 1
        var object = JSONObject()
        try skip()
        if take("}") { return .object(object) }
        while true {
            try skip()
            let name = next == "\"" || next == "'" ? try quoted() : try unquoted()
            try skip()
            if take("=") { _ = take(">") } else if !take(":") { throw SyntaxError() }
            try skip()
            object[name] = try value(depth: depth)
            try skip()
            if take(",") || take(";") { continue }
            if take("}") { return .object(object) }
            throw SyntaxError()
        }
    }

    private mutating func array(depth: Int) throws(SyntaxError) -> JSONValue {
        position += 1
        var items: [JSONValue] = []
        try skip()
        if take("]") { return .array(items) }
        while true {
            try skip()
            // A place left empty is null.
            items.append(next == "," || next == ";" || next == "]" ? .null : try value(depth: depth))
            try skip()
            if take(",") || take(";") { continue }
            if take("]") { return .array(items) }
            throw SyntaxError()
        }
    }

    private mutating func unquoted() throws(SyntaxError) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next, !"/\\;#={}[]:, \t\u{C}\r\n".unicodeScalars.contains(scalar) {
            text.append(scalar)
            position += 1
        }
        guard !text.isEmpty else { throw SyntaxError() }
        return String(text)
    }

    private mutating func quoted() throws(SyntaxError) -> String {
        let quote = scalars[position]
        position += 1
        var units: [UInt16] = []
        while let scalar = next {
            position += 1
            if scalar == quote { return String(decoding: units, as: UTF16.self) }
            units.append(contentsOf: scalar == "\\" ? [try escape()] : Array(String(scalar).utf16))
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
        case "\"", "'", "\\", "/", "\n": return UInt16(scalar.value)
        case "u":
            guard position + 4 <= scalars.count else { throw SyntaxError() }
            var digits = String.UnicodeScalarView()
            digits.append(contentsOf: scalars[position..<position + 4])
            guard let unit = UInt16(String(digits), radix: 16) else { throw SyntaxError() }
            position += 4
            return unit
        default: throw SyntaxError()
        }
    }
}
