import GateJSON
import GateModel

extension OwnTemplate {
    /// Proves that in every possible state the template renders to a document of at most ``mostBytes``, in which each member has one JSON
    /// type.
    ///
    /// Nothing is rendered for this, and the states of different platforms are not multiplied. What a place produces is decided by the
    /// conditions around it and by its own expression, and these depend only on the ``TemplateFacts`` that they name (the reader allows no
    /// expression that asks for more). So each outermost place is examined by itself, under every combination of the facts named inside it;
    /// two places that name different facts need not be tried together, because neither affects the other. Values matter only by their
    /// length, and the longest possible one is counted.
    /// - Parameter acceptsTypeChanges: whether a member may be null, or missing, in some states; it may never have two other types.
    /// - Throws: ``TemplateRefusal``, with the path in the document and the states: `template_fails`, `mixed_types`, `type_changes`,
    ///   `template_too_large`.
    package func check(acceptingTypeChanges acceptsTypeChanges: Bool) throws(TemplateRefusal) {
        let most = bytesAtMost
        guard most <= Self.mostBytes else {
            throw .tooLarge(
                "With the longest texts the document would have up to \(most) bytes; at most \(Self.mostBytes) are published. Name fewer texts, or shorten what stands around them."
            )
        }
        var check = TemplateCheck(platforms: platforms, isOfPlatform: isOfPlatform, acceptsTypeChanges: acceptsTypeChanges)
        try check.walk(root, at: "")
    }
}

/// The state of one such check.
struct TemplateCheck {
    /// The most facts that the conditions and values of one outermost place may name together: 1,024 states.
    static let mostFacts = 10
    /// The most evaluation steps of a whole check.
    static let mostSteps = 50_000

    private let platforms: [PlatformKey]
    private let isOfPlatform: Bool
    private let acceptsTypeChanges: Bool
    private var steps = 0
    /// The facts named by the current place, one by one.
    private var facts: [(platform: Int, fact: TemplateFacts)] = []
    /// For each state, the facts of every platform.
    private var states: [[TemplateFacts]] = []

    init(platforms: [PlatformKey], isOfPlatform: Bool, acceptsTypeChanges: Bool) {
        (self.platforms, self.isOfPlatform, self.acceptsTypeChanges) = (platforms, isOfPlatform, acceptsTypeChanges)
    }

    /// - Parameter path: the path in the document, not in the template.
    mutating func walk(_ node: TemplateNode, at path: String) throws(TemplateRefusal) {
        guard !node.isConstant else { return }
        switch node.form {
        case .scalar: return
        case .object(let members): for member in members { try walk(member.value, at: path + JSONPointer.member(member.name)) }
        case .array(let elements) where !elements.contains { $0.value.mayBeAbsent }:
            for (index, element) in elements.enumerated() { try walk(element.value, at: "\(path)/\(index)") }
        case .array, .text, .value, .choice: try look(at: node, path)
        }
    }

    private mutating func look(at node: TemplateNode, _ path: String) throws(TemplateRefusal) {
        try setStates(of: node, path)
        let shape = try shape(of: node, in: Array(states.indices), path)
        if path.isEmpty {
            guard shape.kinds[.absent] == nil else { throw .noDocument }
            guard shape.kinds.keys.allSatisfy({ $0 == .object || $0 == .array }) else {
                throw TemplateRefusal("mixed_types", at: "", "A document is an object or an array in every state.")
            }
        }
        try judge(shape, path)
    }

    private mutating func setStates(of node: TemplateNode, _ path: String) throws(TemplateRefusal) {
        let expressions = node.expressions
        facts = node.facts.sorted { $0.key < $1.key }.flatMap { platform, facts in facts.singles.map { (platform, $0) } }
        steps += expressions.reduce(0) { $0 + $1.size } << min(facts.count, Self.mostFacts)
        guard facts.count <= Self.mostFacts, steps <= Self.mostSteps else {
            throw .tooLarge(
                "Too many conditions are combined here: they name \(facts.count) facts of the gate, and every combination must be looked at. Name fewer in one $if, or split it into several members.",
                at: path
            )
        }
        states = (0..<(1 << facts.count)).map { bits in
            var state = [TemplateFacts](repeating: [], count: platforms.count)
            for (index, fact) in facts.enumerated() where bits & (1 << index) != 0 { state[fact.platform].insert(fact.fact) }
            return state
        }
    }

    // MARK: What comes out

    private func shape(of node: TemplateNode, in states: [Int], _ path: String) throws(TemplateRefusal) -> TemplateShape {
        // No state takes this branch.
        guard let first = states.first else { return TemplateShape() }
        switch node.form {
        case .scalar(let kind): return TemplateShape(kind, in: first)
        case .text(let parts):
            for case .place(let expression) in parts {
                for state in states {
                    let kind = try outcome(expression, in: state, path).kind
                    guard kind < .array else {
                        throw .invalid(
                            "\"${…}\" puts \(kind.inWords) into a text, which cannot hold it: name one of its members.",
                            at: node.place
                        )
                    }
                }
            }
            return TemplateShape(.string, in: first)
        case .object(let members):
            var shapes: [TemplateShape.Member] = []
            for member in members {
                let shape = try shape(of: member.value, in: states, path + JSONPointer.member(member.name))
                shapes.append(.init(name: member.name, shape: shape))
            }
            return TemplateShape(members: shapes, in: first)
        case .array(let elements):
            var shapes: [TemplateShape] = []
            for (index, element) in elements.enumerated() { shapes.append(try shape(of: element.value, in: states, "\(path)/\(index)")) }
            return TemplateShape(elements: shapes, in: first)
        case .value(let expression):
            var whole = TemplateShape()
            // A value is decided by its facts alone, so each combination of types is merged only once.
            var met: Set<[TemplateFacts]> = []
            let named = expression.paths
            for state in states {
                let facts = named.map { self.states[state][$0.platform].intersection($0.factsOfShape) }
                guard met.insert(facts).inserted else { continue }
                whole.merge(shape(of: try outcome(expression, in: state, path), in: state))
            }
            return whole
        case .choice(let condition, let then, let otherwise):
            var (taken, left): ([Int], [Int]) = ([], [])
            for state in states {
                if try outcome(condition, in: state, path).isTrue({ self.states[state][$0] }) {
                    taken.append(state)
                } else {
                    left.append(state)
                }
            }
            var whole = TemplateShape()
            for (branch, states) in [(then, taken), (otherwise, left)] {
                guard let first = states.first else { continue }
                whole.merge(
                    try branch.map { branch throws(TemplateRefusal) in try shape(of: branch, in: states, path) }
                        ?? TemplateShape(.absent, in: first)
                )
            }
            return whole
        }
    }

    private func shape(of outcome: TemplateOutcome, in state: Int) -> TemplateShape {
        guard case .value(let path, .object) = outcome else { return TemplateShape(outcome.kind, in: state) }
        return TemplateShape(
            members: path.shape(states[state][path.platform]).map { .init(name: $0, shape: TemplateShape($1, in: state)) },
            in: state
        )
    }

    private func outcome(_ expression: TemplateExpression, in state: Int, _ path: String) throws(TemplateRefusal) -> TemplateOutcome {
        do { return try expression.outcome { states[state][$0] } } catch {
            throw TemplateRefusal(error.code, at: path, "\(error.detail) This happens when \(words(state)).")
        }
    }

    // MARK: Whether every member has one type

    private func judge(_ shape: TemplateShape, _ path: String) throws(TemplateRefusal) {
        let kinds = shape.kinds.keys.sorted()
        let values = kinds.filter { $0 > .null }
        if values.count > 1 || (kinds.count > 1 && !acceptsTypeChanges) {
            let told = (values.count > 1 ? values : kinds).prefix(3).map { "\($0.inWords) when \(words(shape.kinds[$0] ?? 0))" }
            let found = "\(path) is \(told.joined(separator: ", and ")). "
            guard values.count > 1 else {
                throw TemplateRefusal(
                    TemplateRefusal.typeChanges,
                    at: path,
                    found + "Apps that read it as one type fail on the other: give it a value of one type in every state, with an \"else\"."
                )
            }
            throw TemplateRefusal("mixed_types", at: path, found + "No app reads both: give it a value of one type in every state.")
        }
        for member in shape.members { try judge(member.shape, path + JSONPointer.member(member.name)) }
        for (index, element) in shape.elements.enumerated() { try judge(element, path + (shape.elementsMove ? "/-" : "/\(index)")) }
    }

    /// A state in words: `kill is on and alert is off`.
    private func words(_ state: Int) -> String {
        let told = facts.enumerated().filter { _, named in
            let present = states[state][named.platform]
            // If a rule is off, nothing else about it is mentioned.
            switch named.fact {
            case .blocking: return present.contains(.alert)
            case .until: return present.contains(.kill)
            case .blockedVersions: return present.contains(.required)
            default: return true
            }
        }
        .map { _, named in
            let prefix = isOfPlatform ? "" : platforms[named.platform].text + "."
            return named.fact.words(states[state][named.platform].contains(named.fact), prefix: prefix)
        }
        guard let last = told.last else { return "whatever is in force" }
        return told.count == 1 ? last : told.dropLast().joined(separator: ", ") + " and " + last
    }
}
