extension JSONValue {
    /// The value as compact JSON text: members in order, no white space, only necessary escapes.
    ///
    /// The feeds' ETag and the history's hash chain rely on equal documents having equal bytes, so this spelling never changes.
    public var text: String { String(decoding: written, as: UTF8.self) }

    /// ``text`` as UTF-8, in an array without spare capacity, because feeds are kept in memory.
    public var bytes: [UInt8] { written.withUnsafeBufferPointer(Array.init) }

    private var written: [UInt8] {
        var bytes: [UInt8] = []
        // About a gate's size: an array that grows from nothing is copied eight times before it is that large.
        bytes.reserveCapacity(512)
        write(to: &bytes)
        return bytes
    }

    /// The value as text for people to read and edit: two spaces per level, one member per line, lists of plain values on one line.
    public var indented: String {
        var bytes: [UInt8] = []
        writeIndented(to: &bytes, level: 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func writeIndented(to bytes: inout [UInt8], level: Int) {
        func newLine(_ level: Int) {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
        }
        switch self {
        case .array(let items) where items.contains { $0.array != nil || $0.object != nil }:
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine(level + 1)
                item.writeIndented(to: &bytes, level: level + 1)
            }
            newLine(level)
            bytes.append(UInt8(ascii: "]"))
        case .array(let items):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                item.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine(level + 1)
                Self.write(member.name, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                member.value.writeIndented(to: &bytes, level: level + 1)
            }
            newLine(level)
            bytes.append(UInt8(ascii: "}"))
        default: write(to: &bytes)
        }
    }

    /// The value with every object's members sorted by the bytes of their names: the canonical form for hashes and comparisons.
    public var sorted: JSONValue {
        switch self {
        case .array(let items): return .array(items.map(\.sorted))
        case .object(let object):
            var sorted = JSONObject()
            for (name, value) in object.members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                sorted.appendKnownNew(name, value.sorted)
            }
            return .object(sorted)
        default: return self
        }
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let items):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                item.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        // Works on the bytes directly: iterating a text's own view takes ten times as long, and an answer has up to 2 MiB.
        text.withUTF8 { utf8 in
            if isPlain(utf8) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { write(escaped: byte, to: &bytes) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether nothing in a text needs an escape, which is true for nearly all. Free of branches, so many bytes are checked at once.
    private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        var special: UInt8 = 0
        for byte in utf8 {
            special |= (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
        }
        return special == 0
    }

    private static func write(escaped byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
