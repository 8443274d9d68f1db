import GateJSON
import GateModel

/// Replaces the values of a file that have a meaning with places, and leaves the rest exactly as it is spelled.
enum TakeoverWriter {
    static func template(
        _ text: String,
        _ leaves: [String: TakeoverLeaf],
        _ gates: [PlatformKey: TakeoverGate]
    ) throws(TemplateRefusal)
        -> String
    {
        var walk = Walk(bytes: Array(text.utf8), leaves: leaves, gates: gates)
        try walk.value(at: "")
        walk.output += walk.bytes[walk.copied...]
        return String(decoding: walk.output, as: UTF8.self)
    }

    /// The place that a value becomes. While the rule is off, the place gives the file's value if the file has the rule off, otherwise a
    /// value that means off.
    private static func place(_ leaf: TakeoverLeaf, _ gate: TakeoverGate, spelled: ArraySlice<UInt8>)
        throws(TemplateRefusal) -> String
    {
        func choice(_ condition: String, _ then: String, _ otherwise: String) -> String {
            "{\"$if\":\(JSONValue.string(condition).text),\"then\":\(then),\"else\":\(otherwise)}"
        }
        let word = leaf.meaning.word
        let value = "{\"$eval\":\(JSONValue.string(leaf.path).text)}"
        let present = escaped(spelled)
        switch word {
        case .kill, .force, .required, .optional, .alert:
            let (on, off, isOn) = try leaf.spellings()
            if case .bool(let flag) = on {
                return "{\"$eval\":\"\(leaf.rule) \(flag ? "!=" : "==") null\"}"
            }
            return choice(leaf.rule, isOn ? present : on.text, isOn ? off.text : present)
        case .blocking:
            let (on, off, isOn) = try leaf.spellings()
            // What the file has stays while the alert is off there, also if it says that the alert would block.
            if isOn, !gate.isOn(.alert) { return choice("\(leaf.rule) && !\(leaf.path)", off.text, present) }
            return choice(
                "\(leaf.rule) && \(leaf.path)",
                isOn ? present : on.text,
                isOn ? off.text : present
            )
        case .killMessage, .forceMessage, .requiredMessage, .optionalMessage, .alertMessage:
            guard let rule = word.rule else { return present }
            return choice(
                leaf.rule,
                value,
                gate.isOn(rule) ? "\"\"" : present
            )
        case .minimumVersion, .optionalVersion:
            guard let rule = word.rule else { return present }
            let isNumber = if case .number = leaf.value { true } else { false }
            return choice(
                leaf.rule,
                value,
                gate.isOn(rule) ? (isNumber ? "0" : "\"0\"") : present
            )
        case .retryInterval: return value
        case .storeURL: return choice(leaf.path, value, present)
        }
    }

    /// A value of the file that is no object and no array, spelled as it is there and escaped for use in a template.
    private static func escaped(_ spelled: ArraySlice<UInt8>) -> String {
        guard spelled.first == UInt8(ascii: "\"") else { return String(decoding: spelled, as: UTF8.self) }
        var position = 0
        return String(decoding: SpelledCharacter.string(in: Array(spelled), at: &position).escapedForTemplates, as: UTF8.self)
    }

    /// A pass over text that was already read as JSON.
    private struct Walk {
        let bytes: [UInt8]
        let leaves: [String: TakeoverLeaf]
        let gates: [PlatformKey: TakeoverGate]
        var output: [UInt8] = []
        /// How far the text was copied.
        var copied = 0
        private var position = 0

        init(bytes: [UInt8], leaves: [String: TakeoverLeaf], gates: [PlatformKey: TakeoverGate]) {
            (self.bytes, self.leaves, self.gates) = (bytes, leaves, gates)
        }

        private mutating func space() {
            while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) {
                position += 1
            }
        }

        private mutating func string() -> Range<Int> {
            let start = position
            position += 1
            while bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            position += 1
            return start..<position
        }

        private mutating func replace(_ span: Range<Int>, with text: String) {
            output += bytes[copied..<span.lowerBound]
            output += text.utf8
            copied = span.upperBound
        }

        mutating func value(at place: String) throws(TemplateRefusal) {
            space()
            let start = position
            switch bytes[position] {
            case UInt8(ascii: "{"):
                position += 1
                space()
                while bytes[position] != UInt8(ascii: "}") {
                    let span = string()
                    // It was already read as JSON, so reading it again cannot fail.
                    let name = (try? JSONReader.read(Array(bytes[span])))?.string ?? ""
                    if name.isKeptForOperators || name.isEscapedForTemplates {
                        replace(span.lowerBound..<span.lowerBound + 1, with: "\"$")
                    }
                    space()
                    position += 1
                    try value(at: place + JSONPointer.member(name))
                    space()
                    if bytes[position] == UInt8(ascii: ",") { position += 1 }
                    space()
                }
                position += 1
            case UInt8(ascii: "["):
                position += 1
                space()
                var index = 0
                while bytes[position] != UInt8(ascii: "]") {
                    try value(at: "\(place)/\(index)")
                    index += 1
                    space()
                    if bytes[position] == UInt8(ascii: ",") { position += 1 }
                    space()
                }
                position += 1
            case UInt8(ascii: "\""):
                let span = string()
                if leaves[place] == nil {
                    let escaped = TakeoverWriter.escaped(bytes[span])
                    if escaped.utf8.count > span.count { replace(span, with: escaped) }
                }
            default:
                while position < bytes.count, !",]} \n\r\t".utf8.contains(bytes[position]) { position += 1 }
            }
            guard let leaf = leaves[place] else { return }
            guard copied <= start else {
                throw .invalidMap("A value inside it has a meaning too; name only one of the two.", at: place)
            }
            guard leaf.value.object == nil, leaf.value.array == nil else {
                throw .invalidMap("It is \(leaf.value.kindInWords); name a value inside it.", at: place)
            }
            let text = try TakeoverWriter.place(
                leaf,
                gates[leaf.platform] ?? TakeoverGate(),
                spelled: bytes[start..<position]
            )
            replace(start..<position, with: text)
        }
    }
}

extension String {
    /// Whether it has the form that JSON-e reserves for operators.
    var isKeptForOperators: Bool {
        let bytes = Array(utf8)
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "$") else { return false }
        func isLetter(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == UInt8(ascii: "_") }
        return isLetter(bytes[1]) && bytes.dropFirst(2).allSatisfy { isLetter($0) || $0.isASCIIDigit }
    }

    /// Whether it has that form but with further dollar signs, one of which is the template's and not the name's, as in JSON-e.
    var isEscapedForTemplates: Bool {
        let name = utf8.drop { $0 == UInt8(ascii: "$") }
        return utf8.count - name.count > 1 && "$\(Substring(name))".isKeptForOperators
    }
}
