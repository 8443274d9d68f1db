/// A parsed condition or value of a template.
indirect enum TemplateExpression: Sendable {
    case literal(TemplateOutcome)
    case path(TemplatePath)
    case not(TemplateExpression)
    /// At least two; true if all are. Evaluation stops at the first false one.
    case all([TemplateExpression])
    /// At least two; true if any is. Evaluation stops at the first true one.
    case any([TemplateExpression])
    case equal(TemplateExpression, TemplateExpression, isNegated: Bool)

    /// Its result, which depends only on the facts.
    /// - Throws: `template_fails` for a member of a rule that is off.
    func outcome(_ facts: (Int) -> TemplateFacts) throws(TemplateRefusal) -> TemplateOutcome {
        switch self {
        case .literal(let outcome): return outcome
        case .path(let path): return try path.outcome(facts(path.platform))
        case .not(let inner): return .bool(try !inner.isTrue(facts))
        case .all(let parts):
            for part in parts where try !part.isTrue(facts) { return .bool(false) }
            return .bool(true)
        case .any(let parts):
            for part in parts where try part.isTrue(facts) { return .bool(true) }
            return .bool(false)
        case .equal(let one, let other, let isNegated):
            let (left, right) = (try one.outcome(facts), try other.outcome(facts))
            let isEqual: Bool =
                switch (left, right) {
                case (.null, .null): true
                case (.bool(let left), .bool(let right)): left == right
                case (.number(let left), .number(let right)): Double(left) == Double(right)
                case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
                // An existing value is not null; the reader allows no comparison with anything else.
                default: false
                }
            return .bool(isEqual != isNegated)
        }
    }

    func isTrue(_ facts: (Int) -> TemplateFacts) throws(TemplateRefusal) -> Bool { try outcome(facts).isTrue(facts) }

    /// The values that it names.
    var paths: [TemplatePath] {
        switch self {
        case .literal: []
        case .path(let path): [path]
        case .not(let inner): inner.paths
        case .all(let parts), .any(let parts): parts.flatMap(\.paths)
        case .equal(let one, let other, _): one.paths + other.paths
        }
    }

    /// The most steps that evaluating it takes.
    var size: Int {
        switch self {
        case .literal, .path: 1
        case .not(let inner): 1 + inner.size
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 + $1.size }
        case .equal(let one, let other, _): 1 + one.size + other.size
        }
    }
}
