/// Reads JSON text strictly (RFC 8259): UTF-8 without a byte order mark, no duplicate names, no lone surrogates, nothing after the value.
///
/// Foundation's decoders silently keep one of two equal names, and parse deep nesting by recursion without a limit; a body that decides who
/// may use an app must not be read that way.
public struct JSONReader {
    /// The most that a text may hold. The defaults are those of the admin API.
    public struct Limits: Sendable {
        /// UTF-8 bytes of the whole text.
        public var bytes: Int
        /// Levels of nested objects and arrays; a lone number has depth 0.
        public var depth: Int
        /// Members and elements in the whole text together.
        public var members: Int
        /// Whether a string may have more than ``Swift/String/mostMarksInARow`` combining marks in a row.
        var endlessMarks = false

        public init(bytes: Int = 262_144, depth: Int = 16, members: Int = 2_000) {
            self.bytes = bytes
            self.depth = depth
            self.members = members
        }

        /// For documents that Gatehouse wrote itself.
        public static let own = {
            var limits = Limits(bytes: .max, depth: 32, members: .max)
            limits.endlessMarks = true
            return limits
        }()
    }

    private let bytes: [UInt8]
    private let limits: Limits
    private var position = 0
    private var members = 0

    private init(_ bytes: [UInt8], limits: Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The single value in `bytes`.
    /// - Throws: ``JSONError``, with the byte offset where reading stopped.
    public static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONError("the text is longer than \(limits.bytes) bytes", at: limits.bytes) }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw JSONError("the text starts with a byte order mark", at: 0) }
        if let offset = firstInvalidByte(bytes) { throw JSONError("the text is not valid UTF-8", at: offset) }
        var reader = JSONReader(bytes, limits: limits)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.error("there is text after the end of the JSON value") }
        return value
    }

    /// The single value in `text`; see ``read(_:limits:)-([UInt8],_)``.
    public static func read(_ text: String, limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        try read(Array(text.utf8), limits: limits)
    }

    /// Where the text stops being UTF-8, or nil if all of it is.
    private static func firstInvalidByte(_ bytes: [UInt8]) -> Int? {
        guard String(strictly: bytes) == nil else { return nil }
        var decoder = UTF8()
        var source = bytes.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&source) { offset += UTF8.width(scalar) }
        return offset
    }

    private func error(_ what: String) -> JSONError { JSONError(what, at: position) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        // Nearly always there is none.
        while let byte = next, byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func countMember() throws(JSONError) {
        members += 1
        guard members <= limits.members else { throw error("there are more than \(limits.members) members") }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"): return .number(try number())
        case let byte? where byte.isASCIIDigit: return .number(try number())
        case nil: throw error("the text ends where a value should be")
        case UInt8(ascii: "/"), UInt8(ascii: "#"): throw error("comments are not JSON")
        default: throw error("no JSON value starts here")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.utf8 {
            guard take(byte) else { throw error("expected \(word)") }
        }
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= limits.depth else { throw error("values are nested deeper than \(limits.depth)") }
        position += 1
        var object = JSONObject()
        var seen = Names()
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(object) }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("expected a member name in quotes") }
            let name = try string()
            guard seen.isNew(name, in: object) else { throw error("the name \(quoted(name)) appears twice in one object") }
            try countMember()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("expected : after the name \(quoted(name))") }
            skipSpace()
            object.appendKnownNew(name, try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            if take(UInt8(ascii: "}")) { return .object(object) }
            throw error("expected , or } in an object")
        }
    }

    /// Finds a name that an object has twice. Names are compared by their bytes: Swift's == treats two canonically equivalent spellings as
    /// the same.
    private struct Names {
        /// Up to this many members, each name is compared with all before it, which is faster than hashing; beyond that, the time would
        /// grow with the square of their number.
        private static let few = 16
        private var many: Set<[UInt8]> = []

        /// - Parameter object: the members read so far. Call this for every name, in order.
        mutating func isNew(_ name: String, in object: JSONObject) -> Bool {
            if object.members.count <= Self.few { return !object.members.contains { Self.areSame($0.name, name) } }
            if many.isEmpty { many = Set(object.members.map { Array($0.name.utf8) }) }
            return many.insert(Array(name.utf8)).inserted
        }

        /// Not by == first: it normalises names that are canonically equivalent to their ends, which takes a thousand times as long.
        private static func areSame(_ one: String, _ other: String) -> Bool {
            one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8)
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= limits.depth else { throw error("values are nested deeper than \(limits.depth)") }
        position += 1
        var items: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(items) }
        while true {
            skipSpace()
            try countMember()
            items.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            if take(UInt8(ascii: "]")) { return .array(items) }
            throw error("expected , or ] in an array")
        }
    }

    private mutating func digits() throws(JSONError) {
        guard let first = next, first.isASCIIDigit else { throw error("expected a digit") }
        while let byte = next, byte.isASCIIDigit { position += 1 }
    }

    private mutating func number() throws(JSONError) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if let byte = next, byte.isASCIIDigit { throw error("a number has a leading zero") }
        } else {
            try digits()
        }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return text(start..<position)
    }

    /// The text of a range of bytes. A slice of the array would retain and release it for each string.
    private func text(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0[range], as: UTF8.self) }
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        skipPlain()
        // Most strings contain no escapes and are taken as they are.
        if take(UInt8(ascii: "\"")) { return try checked(text(start..<position - 1)) }
        var text = Array(bytes[start..<position])
        while true {
            guard let byte = next else { throw error("the text ends inside a string") }
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try checked(String(decoding: text, as: UTF8.self))
            case UInt8(ascii: "\\"): text.append(contentsOf: String(Character(try escape())).utf8)
            case 0..<0x20: throw error("a control character must be escaped in a string")
            default:
                let start = position - 1
                skipPlain()
                text += bytes[start..<position]
            }
        }
    }

    /// A string, once nothing that is done with it can take time with the square of its length.
    private func checked(_ text: String) throws(JSONError) -> String {
        guard limits.endlessMarks || !text.hasEndlessMarks else {
            throw error("a string has more than \(String.mostMarksInARow) combining marks in a row")
        }
        return text
    }

    /// Skips to the next byte that ends the string or does not stand for itself.
    private mutating func skipPlain() {
        var end = position
        while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end += 1 }
        position = end
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = next else { throw error("the text ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw error("\\\(Character(Unicode.Scalar(byte))) is no JSON escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let unit = try hexadecimalUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // A high surrogate needs its low half; if it stands alone, LaunchGate's parser rejects the whole feed (wire formats, 1.1).
        guard unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw error("a surrogate stands alone in a string") }
        let low = try hexadecimalUnit()
        guard (0xDC00...0xDFFF).contains(low), let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)) else {
            throw error("a surrogate stands alone in a string")
        }
        return scalar
    }

    private mutating func hexadecimalUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("\\u needs four hexadecimal digits")
            }
            position += 1
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    private func quoted(_ name: String) -> String { JSONValue.quoted(name, most: 64) }
}

/// A text is not valid JSON, or exceeds a limit.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    public let reason: String
    /// Where reading stopped, in bytes from the start of the text.
    public let offset: Int

    init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String { "\(reason) (at byte \(offset))" }
}
