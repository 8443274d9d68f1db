import GateJSON

/// Parses a template's text into nodes that remember their positions in it.
///
/// The text was already read by ``JSONReader``, so nothing here needs to check that it is JSON.
struct TemplateReader {
    /// The most places and conditions of one template.
    static let mostPlaces = 500

    private let bytes: [UInt8]
    private let names: TemplateNames
    private var position = 0
    private var places = 0

    private init(_ bytes: [UInt8], _ names: TemplateNames) { (self.bytes, self.names) = (bytes, names) }

    /// - Parameter bytes: strict JSON.
    /// - Throws: `invalid_template` and `template_too_large`.
    static func read(_ bytes: [UInt8], _ names: TemplateNames) throws(TemplateRefusal) -> TemplateNode {
        var reader = TemplateReader(bytes, names)
        _ = reader.space()
        return try reader.node(at: "")
    }

    private mutating func space() -> Range<Int> {
        let start = position
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
        return start..<position
    }

    private mutating func node(at place: String) throws(TemplateRefusal) -> TemplateNode {
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(at: place)
        case UInt8(ascii: "["): return try array(at: place)
        case UInt8(ascii: "\""):
            let parts = try textParts(string(), at: place)
            let isConstant = parts == nil
            return TemplateNode(
                span: start..<position,
                place: place,
                form: parts.map { .text($0) } ?? .scalar(.string),
                isConstant: isConstant
            )
        default:
            let kind: TemplateKind =
                switch bytes[position] {
                case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
                case UInt8(ascii: "n"): .null
                default: .number
                }
            while position < bytes.count, !",]} \n\r\t".utf8.contains(bytes[position]) { position += 1 }
            return TemplateNode(span: start..<position, place: place, form: .scalar(kind), isConstant: true)
        }
    }

    private mutating func array(at place: String) throws(TemplateRefusal) -> TemplateNode {
        let start = position
        position += 1
        var elements: [TemplateNode.Part] = []
        var lead = space()
        while bytes[position] != UInt8(ascii: "]") {
            let value = try node(at: "\(place)/\(elements.count)")
            elements.append(.init(head: Array(bytes[lead]), value: value, tail: space()))
            guard bytes[position] == UInt8(ascii: ",") else { break }
            position += 1
            lead = space()
        }
        position += 1
        return TemplateNode(
            span: start..<position,
            place: place,
            form: .array(elements),
            isConstant: elements.allSatisfy(\.value.isConstant)
        )
    }

    private mutating func object(at place: String) throws(TemplateRefusal) -> TemplateNode {
        let start = position
        position += 1
        var members: [TemplateNode.Member] = []
        var isUnescaped = false
        var lead = space()
        var operators: [(name: String, text: String, place: String)] = []
        while bytes[position] != UInt8(ascii: "}") {
            let units = string()
            let name = units.text
            _ = space()
            position += 1
            _ = space()
            var head = Array(bytes[lead.lowerBound..<position])
            let inner = place + JSONPointer.member(name)
            if name.isKeptForOperators {
                operators.append((name, try operand(of: name, at: inner), inner))
                _ = space()
            } else {
                if name.hasBytes(of: "${") {
                    throw .invalid("A name is a constant: \"${…}\" may stand only in values. Write the name out.", at: inner)
                }
                var told = name
                if name.isEscapedForTemplates {
                    isUnescaped = true
                    told = String(name.dropFirst())
                    // The first unit after the quote is the dollar sign, however it is spelled.
                    head.removeSubrange((lead.count + 1)..<(lead.count + 1 + units[0].spelling.count))
                }
                let value = try node(at: inner)
                members.append(.init(name: told, part: .init(head: head, value: value, tail: space())))
            }
            guard bytes[position] == UInt8(ascii: ",") else { break }
            position += 1
            lead = space()
        }
        position += 1
        if let first = operators.first {
            let form = try form(of: first, others: operators.dropFirst().map(\.name), members, at: place)
            return TemplateNode(span: start..<position, place: place, form: form, isConstant: false)
        }
        return TemplateNode(
            span: start..<position,
            place: place,
            form: .object(members),
            isConstant: !isUnescaped && members.allSatisfy(\.value.isConstant)
        )
    }

    // MARK: Operators

    private static let otherOperators: Set<String> = [
        "$default", "$eval", "$find", "$flatten", "$flattenDeep", "$fromNow", "$if", "$json", "$let", "$map", "$match", "$merge",
        "$mergeDeep",
        "$reduce", "$reverse", "$sort", "$switch",
    ]

    private func shown(_ name: String) -> String { JSONValue.quoted(name, most: 40) }

    /// The expression of `$eval` or `$if`: a text that is not a template itself.
    private mutating func operand(of name: String, at place: String) throws(TemplateRefusal) -> String {
        guard name == "$eval" || name == "$if" else {
            guard Self.otherOperators.contains(name) else {
                throw .invalid(
                    "A name like \(shown(name)) is reserved for operators; write \(shown("$" + name)) to mean the name.",
                    at: place
                )
            }
            throw .invalid(
                "\(name) is an operator of JSON-e that templates here do not have: there are $eval, $if and \"${…}\", no loops and no functions.",
                at: place
            )
        }
        guard bytes[position] == UInt8(ascii: "\"") else {
            throw .invalid("\(name) holds an expression as a text, such as \"kill.message\".", at: place)
        }
        return string().text
    }

    private mutating func form(
        of operation: (name: String, text: String, place: String),
        others: [String],
        _ members: [TemplateNode.Member],
        at place: String
    ) throws(TemplateRefusal) -> TemplateNode.Form {
        let isChoice = operation.name == "$if"
        let stray = others.first ?? members.lazy.map(\.name).first { !isChoice || ($0 != "then" && $0 != "else") }
        if let stray {
            let allowed = isChoice ? "only then and else may stand" : "nothing may stand"
            throw .invalid("Beside \(operation.name) \(allowed), not \(shown(stray)).", at: place)
        }
        let expression = try expression(operation.text, at: operation.place)
        guard isChoice else { return .value(expression) }
        guard !members.isEmpty else {
            throw .invalid("$if needs \"then\", and \"else\" if something is to stand there otherwise.", at: place)
        }
        func branch(_ name: String) -> TemplateNode? { members.first { $0.name == name }?.value }
        return .choice(expression, then: branch("then"), otherwise: branch("else"))
    }

    private mutating func expression(_ text: String, at place: String) throws(TemplateRefusal) -> TemplateExpression {
        places += 1
        guard places <= Self.mostPlaces else {
            throw .tooLarge("A template has at most \(Self.mostPlaces) places and conditions; leave constants as they are.", at: place)
        }
        return try TemplateExpressionReader.read(text, names, at: place)
    }

    // MARK: Texts

    /// Reads a string with its quotes.
    private mutating func string() -> [SpelledCharacter] { SpelledCharacter.string(in: bytes, at: &position) }

    /// The places in a text; nil if it comes out exactly as it is spelled.
    private mutating func textParts(_ units: [SpelledCharacter], at place: String) throws(TemplateRefusal) -> [TemplateNode.TextPart]? {
        var parts: [TemplateNode.TextPart] = []
        var literal: [UInt8] = []
        var isPlain = true
        var index = 0
        while index < units.count {
            if units[index].ascii == UInt8(ascii: "$"), units.opensPlace(at: index + 1) {
                // `$${` stands for `${` and is not a place.
                isPlain = false
                literal += units[index + 1].spelling + units[index + 2].spelling
                index += 3
            } else if units.opensPlace(at: index) {
                isPlain = false
                guard let end = Self.end(of: units, from: index + 2) else {
                    throw .invalid("A ${ is not closed. Write $${ where the text is to say ${.", at: place)
                }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(.place(try expression(Array(units[(index + 2)..<end]).text, at: place)))
                index = end + 1
            } else {
                literal += units[index].spelling
                index += 1
            }
        }
        guard !isPlain else { return nil }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return parts
    }

    /// The brace that closes a place; braces in a text inside the expression do not count.
    private static func end(of units: [SpelledCharacter], from start: Int) -> Int? {
        var quote: UInt8?
        for index in start..<units.count {
            let byte = units[index].ascii
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "}") {
                return index
            }
        }
        return nil
    }
}
