public import GateJSON

/// Whole rules to replace or clear: the `set` of a change. Validated only when applied to a gate, because what is valid depends on the
/// platform.
public struct GateEdit: Sendable, Hashable {
    /// The rules that it names, in the order of ``Rule``; nil clears the rule.
    public let rules: [(rule: Rule, json: JSONValue?)]

    public init(_ rules: [Rule: JSONValue?]) {
        self.rules = Rule.allCases.compactMap { rule in rules[rule].map { (rule, $0) } }
    }

    /// Reads `{"killSwitch": {…}, "alert": null}`.
    /// - Throws: malformed (400) for anything but an object of rules and nulls.
    public init(json: JSONValue) throws(ModelError) {
        guard let object = json.object else { throw .malformed("The rules are an object, not \(json.kindInWords).") }
        var rules: [Rule: JSONValue?] = [:]
        for (name, value) in object.members {
            guard let rule = Rule(rawValue: name) else {
                throw .malformed(
                    "There is no rule \(JSONValue.quoted(name)): the rules are \(Rule.allCases.map(\.rawValue).joined(separator: ", ")).",
                    field: JSONPointer.member(name)
                )
            }
            rules.updateValue(value.isNull ? nil : value, forKey: rule)
        }
        self.init(rules)
    }

    /// The edit that gives another gate the rules named here as they are in `gate` now.
    public init(_ rules: [Rule], of gate: Gate) {
        self.init(Dictionary(uniqueKeysWithValues: rules.map { ($0, gate.json(of: $0)) }))
    }

    /// The edit that turns any gate into `gate`: it names every rule.
    public init(replacingWith gate: Gate) { self.init(Rule.allCases, of: gate) }

    public var isEmpty: Bool { rules.isEmpty }

    /// Whether it turns a rule off.
    public func clears(_ rule: Rule) -> Bool { rules.contains { $0.rule == rule && $0.json == nil } }

    public var json: JSONValue {
        var object = JSONObject()
        for (rule, json) in rules { object[rule.rawValue] = json ?? .null }
        return .object(object)
    }

    public static func == (one: GateEdit, other: GateEdit) -> Bool { one.json == other.json }

    public func hash(into hasher: inout Hasher) { json.hash(into: &hasher) }
}
