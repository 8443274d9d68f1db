import GateJSON
import GateModel

/// Reads the expressions of a template: paths, literals, the operators `==`, `!=`, `&&`, `||` and `!`, and parentheses.
struct TemplateExpressionReader {
    /// The most UTF-8 bytes of an expression, and the deepest nesting of its parentheses and negations.
    static let mostBytes = 512
    static let mostDepth = 16

    private enum Token: Equatable {
        case name(String)
        case number(String)
        case text(String)
        /// `== != && || ! ( ) . [ ]`
        case sign(String)
    }

    private let names: TemplateNames
    private let place: String
    private var tokens: [Token] = []
    private var position = 0
    private var depth = 0

    /// - Parameters:
    ///   - names: what can be named.
    ///   - place: the expression's place in the template, for refusals.
    static func read(_ text: String, _ names: TemplateNames, at place: String) throws(TemplateRefusal) -> TemplateExpression {
        guard text.utf8.count <= mostBytes else {
            throw .tooLarge("An expression has at most \(mostBytes) bytes, not \(text.utf8.count).", at: place)
        }
        var reader = TemplateExpressionReader(names: names, place: place)
        reader.tokens = try reader.split(text)
        guard !reader.tokens.isEmpty else { throw reader.refusal("The expression is empty; name a value such as kill.message.") }
        let expression = try reader.any()
        guard reader.position == reader.tokens.count else {
            throw reader.refusal("\(reader.shown) is not expected here: join conditions with && or ||.")
        }
        return expression
    }

    private init(names: TemplateNames, place: String) { (self.names, self.place) = (names, place) }

    private func refusal(_ detail: String) -> TemplateRefusal { .invalid(detail, at: place) }

    // MARK: Tokens

    private func split(_ text: String) throws(TemplateRefusal) -> [Token] {
        let bytes = Array(text.utf8)
        var tokens: [Token] = []
        var index = 0
        func word(from start: Int, while isPart: (UInt8) -> Bool) -> String {
            var end = start
            while end < bytes.count, isPart(bytes[end]) { end += 1 }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard let end = bytes[(index + 1)...].firstIndex(of: byte) else {
                    throw refusal("A text in the expression does not end: close it with the quote that it began with.")
                }
                tokens.append(.text(String(decoding: bytes[(index + 1)..<end], as: UTF8.self)))
                index = end + 1
            case _ where Self.isLetter(byte):
                let name = word(from: index) { Self.isLetter($0) || $0.isASCIIDigit }
                tokens.append(.name(name))
                index += name.utf8.count
            case _ where byte.isASCIIDigit, UInt8(ascii: "-") where next.isASCIIDigit:
                let number = String(decoding: [byte], as: UTF8.self) + word(from: index + 1) { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
                // In JSON's own form, so what is written is a number everywhere.
                guard case .some(.number) = try? JSONReader.read(number) else { throw refusal("\(number) is not a number.") }
                tokens.append(.number(number))
                index += number.utf8.count
            case UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "|"):
                guard next == byte else { throw unknown(byte) }
                tokens.append(.sign(String(decoding: [byte, next], as: UTF8.self)))
                index += 2
            case UInt8(ascii: "!"):
                let isUnequal = next == UInt8(ascii: "=")
                tokens.append(.sign(isUnequal ? "!=" : "!"))
                index += isUnequal ? 2 : 1
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"):
                tokens.append(.sign(String(decoding: [byte], as: UTF8.self)))
                index += 1
            default: throw unknown(byte)
            }
        }
        return tokens
    }

    private func unknown(_ byte: UInt8) -> TemplateRefusal {
        let sign = byte < 0x80 && byte > 0x20 ? String(decoding: [byte], as: UTF8.self) : "A non-ASCII character outside a text"
        return refusal("\(sign) cannot be part of an expression: there are paths, literals, ==, !=, &&, ||, ! and parentheses.")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte == UInt8(ascii: "_")
    }

    private var next: Token? { position < tokens.count ? tokens[position] : nil }

    private mutating func take(_ sign: String) -> Bool {
        guard next == .sign(sign) else { return false }
        position += 1
        return true
    }

    /// The next token, in the form shown to people.
    private var shown: String {
        switch next {
        case .name(let text), .number(let text), .sign(let text): text
        case .text(let text): JSONValue.quoted(text, most: 40)
        case nil: "The end"
        }
    }

    // MARK: Grammar

    private mutating func any() throws(TemplateRefusal) -> TemplateExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.mostDepth else { throw .tooLarge("An expression goes at most \(Self.mostDepth) parentheses deep.", at: place) }
        var parts = [try all()]
        while take("||") { parts.append(try all()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func all() throws(TemplateRefusal) -> TemplateExpression {
        var parts = [try comparison()]
        while take("&&") { parts.append(try comparison()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func comparison() throws(TemplateRefusal) -> TemplateExpression {
        let one = try unary()
        let isNegated = next == .sign("!=")
        guard take("==") || take("!=") else { return one }
        let other = try unary()
        guard next != .sign("=="), next != .sign("!=") else { throw refusal("Put parentheses around the first of two comparisons.") }
        try checkComparable(one, with: other)
        try checkComparable(other, with: one)
        return .equal(one, other, isNegated: isNegated)
    }

    /// A condition may not ask what a message says or which number a version has: every text would be a state of its own, and a document
    /// that is right in all states that were tried could be wrong in the next.
    private func checkComparable(_ one: TemplateExpression, with other: TemplateExpression) throws(TemplateRefusal) {
        guard case .path(let path) = one else { return }
        if case .literal(.null) = other { return }
        switch path.value {
        case .blocked, .blocking, .state: return
        default:
            throw refusal("\(path.spelling) can be compared only with null; conditions ask whether a rule is on, and blocked and state.")
        }
    }

    private mutating func unary() throws(TemplateRefusal) -> TemplateExpression {
        var negations = 0
        while take("!") { negations += 1 }
        guard negations + depth <= Self.mostDepth else {
            throw .tooLarge("An expression has at most \(Self.mostDepth) parentheses and ! inside one another.", at: place)
        }
        var expression = try primary()
        for _ in 0..<negations { expression = .not(expression) }
        return expression
    }

    private mutating func primary() throws(TemplateRefusal) -> TemplateExpression {
        if take("(") {
            let inner = try any()
            guard take(")") else { throw refusal("A parenthesis is not closed.") }
            return inner
        }
        switch next {
        case .number(let text):
            position += 1
            return .literal(.number(text))
        case .text(let text):
            position += 1
            return .literal(.string(text))
        case .name("true"):
            position += 1
            return .literal(.bool(true))
        case .name("false"):
            position += 1
            return .literal(.bool(false))
        case .name("null"):
            position += 1
            return .literal(.null)
        case .name: return .path(try path())
        default: throw refusal("\(shown) is not expected here: name a value such as kill.message, or write a literal.")
        }
    }

    private mutating func path() throws(TemplateRefusal) -> TemplatePath {
        var steps: [TemplateNames.Step] = []
        while case .name(let name) = next {
            position += 1
            steps.append(.init(name: name, isBracketed: false))
            while take("[") {
                guard case .text(let name) = next else { throw refusal("[ ] takes a name in quotes, such as messages[\"pt-BR\"].") }
                position += 1
                guard take("]") else { throw refusal("A [ is not closed.") }
                steps.append(.init(name: name, isBracketed: true))
            }
            guard take(".") else { break }
            guard case .name = next else { throw refusal("A name must follow the dot of \(TemplateNames.spelled(steps)).") }
        }
        if next == .sign("(") { throw refusal("There are no functions: \(TemplateNames.spelled(steps))( ) cannot be called.") }
        do { return try names.path(steps) } catch { throw refusal(error.detail) }
    }
}
