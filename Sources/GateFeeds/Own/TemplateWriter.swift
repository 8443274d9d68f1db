import GateJSON
import GateModel

/// Fills a template's places from the gates of one moment.
struct TemplateWriter {
    private(set) var output: [UInt8] = []
    private let source: [UInt8]
    private let targets: [Target?]
    private let facts: [TemplateFacts]

    /// - Parameter targets: by the index of their platform; nil for one that the template does not use.
    init(_ source: [UInt8], _ targets: [Target?]) {
        self.source = source
        self.targets = targets
        facts = targets.map { $0.map(TemplateFacts.init) ?? [] }
        output.reserveCapacity(source.count)
    }

    mutating func copy(_ span: Range<Int>) { output += source[span] }

    /// - Returns: false if nothing is to be written.
    mutating func write(_ node: TemplateNode) throws(TemplateRefusal) -> Bool {
        guard !node.isConstant else {
            copy(node.span)
            return true
        }
        switch node.form {
        case .scalar: copy(node.span)
        case .text(let parts): try write(parts, at: node.place)
        case .object(let members): try write(members.map(\.part), of: node)
        case .array(let elements): try write(elements, of: node)
        case .value(let expression): output += json(try outcome(expression, at: node.place)).bytes
        case .choice(let condition, let then, let otherwise):
            let isSo = try outcome(condition, at: node.place).isTrue { facts[$0] }
            guard let branch = isSo ? then : otherwise else { return false }
            return try write(branch)
        }
        return true
    }

    /// Writes an object or an array, without those of its parts that produce nothing.
    private mutating func write(_ parts: [TemplateNode.Part], of node: TemplateNode) throws(TemplateRefusal) {
        var isEmpty = true
        output.append(source[node.span.lowerBound])
        for part in parts {
            let start = output.count
            if !isEmpty { output.append(UInt8(ascii: ",")) }
            output += part.head
            if try write(part.value) {
                // White space before a comma belongs to its part; white space before the closing bracket belongs to the whole.
                if part.tail != parts.last?.tail { copy(part.tail) }
                isEmpty = false
            } else {
                output.removeSubrange(start...)
            }
        }
        if !isEmpty, let last = parts.last { copy(last.tail) }
        output.append(source[node.span.upperBound - 1])
    }

    private mutating func write(_ parts: [TemplateNode.TextPart], at place: String) throws(TemplateRefusal) {
        output.append(UInt8(ascii: "\""))
        for part in parts {
            switch part {
            case .literal(let bytes): output += bytes
            case .place(let expression):
                switch json(try outcome(expression, at: place)) {
                // As in JSON-e, null comes out as nothing.
                case .null: break
                case .string(let text): output += JSONValue.string(text).bytes.dropFirst().dropLast()
                case let value: output += value.bytes
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private func outcome(_ expression: TemplateExpression, at place: String) throws(TemplateRefusal) -> TemplateOutcome {
        do { return try expression.outcome { facts[$0] } } catch { throw TemplateRefusal(error.code, at: place, error.detail) }
    }

    private func json(_ outcome: TemplateOutcome) -> JSONValue {
        switch outcome {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        case .value(let path, _): targets[path.platform].map(path.json(of:)) ?? .null
        }
    }
}
