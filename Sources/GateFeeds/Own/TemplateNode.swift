/// A value in a template, with its position in the text.
struct TemplateNode: Sendable {
    indirect enum Form: Sendable {
        /// A number, a word, or a text without places.
        case scalar(TemplateKind)
        /// A text that contains places.
        case text([TextPart])
        case object([Member])
        case array([Part])
        case value(TemplateExpression)
        /// Produces nothing if the chosen branch is missing.
        case choice(TemplateExpression, then: TemplateNode?, otherwise: TemplateNode?)
    }

    enum TextPart: Sendable {
        /// As spelled between the quotes.
        case literal([UInt8])
        case place(TemplateExpression)
    }

    struct Member: Sendable {
        /// As it appears in the document.
        let name: String
        let part: Part

        var value: TemplateNode { part.value }
    }

    /// What stands between two commas of an object or an array. White space is kept.
    struct Part: Sendable {
        /// What comes before the value: white space and, in an object, the name and its colon. A name's leading `$$` is unescaped.
        let head: [UInt8]
        let value: TemplateNode
        /// The white space after the value.
        let tail: Range<Int>

        /// The most UTF-8 bytes that it can take, with a comma.
        var mostBytes: Int { head.count + value.mostBytes + tail.count + 1 }
    }

    /// Its position in the template's bytes.
    let span: Range<Int>
    /// RFC 6901 pointer into the template.
    let place: String
    let form: Form
    /// Whether it comes out exactly as it is spelled.
    let isConstant: Bool

    /// All expressions in it, at any depth.
    var expressions: [TemplateExpression] {
        guard !isConstant else { return [] }
        switch form {
        case .scalar: return []
        case .text(let parts): return parts.compactMap { if case .place(let expression) = $0 { expression } else { nil } }
        case .object(let members): return members.flatMap(\.value.expressions)
        case .array(let elements): return elements.flatMap(\.value.expressions)
        case .value(let expression): return [expression]
        case .choice(let condition, let then, let otherwise):
            return [condition] + (then?.expressions ?? []) + (otherwise?.expressions ?? [])
        }
    }

    /// The facts on which it depends, by platform.
    var facts: [Int: TemplateFacts] {
        var facts: [Int: TemplateFacts] = [:]
        func add(_ node: TemplateNode) {
            guard !node.isConstant else { return }
            switch node.form {
            case .scalar: return
            case .object(let members): for member in members { add(member.value) }
            case .array(let elements): for element in elements { add(element.value) }
            case .value(.path(let path)): facts[path.platform, default: []].formUnion(path.factsOfShape)
            case .value(let expression): add(expression)
            case .text(let parts): for case .place(let expression) in parts { add(expression) }
            case .choice(let condition, let then, let otherwise):
                add(condition)
                if let then { add(then) }
                if let otherwise { add(otherwise) }
            }
        }
        func add(_ expression: TemplateExpression) {
            for path in expression.paths { facts[path.platform, default: []].formUnion(path.facts) }
        }
        add(self)
        return facts
    }

    /// Whether it may produce nothing at all.
    var mayBeAbsent: Bool {
        guard case .choice(_, let then, let otherwise) = form else { return false }
        return then?.mayBeAbsent ?? true || otherwise?.mayBeAbsent ?? true
    }

    /// The most UTF-8 bytes that it can produce, in any state.
    var mostBytes: Int {
        guard !isConstant else { return span.count }
        switch form {
        case .scalar: return span.count
        case .text(let parts):
            return parts.reduce(2) { total, part in
                switch part {
                case .literal(let bytes): total + bytes.count
                case .place(let expression): total + expression.mostBytes
                }
            }
        case .object(let members): return members.reduce(2) { $0 + $1.part.mostBytes }
        case .array(let elements): return elements.reduce(2) { $0 + $1.mostBytes }
        case .value(let expression): return expression.mostBytes
        case .choice(_, let then, let otherwise): return max(then?.mostBytes ?? 0, otherwise?.mostBytes ?? 0)
        }
    }
}

extension TemplateExpression {
    /// The most UTF-8 bytes that its value can take as JSON.
    var mostBytes: Int {
        switch self {
        case .path(let path): path.mostBytes
        case .literal(.string(let text)): 6 * text.utf8.count + 2
        case .literal(.number(let text)): text.utf8.count
        case .literal, .not, .all, .any, .equal: 5
        }
    }
}
