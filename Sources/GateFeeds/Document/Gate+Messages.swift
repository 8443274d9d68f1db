import GateModel

extension Gate {
    /// The messages of the rules that are on, in the order of ``Rule``.
    var messages: [(rule: Rule, message: Message)] { Rule.allCases.compactMap { rule in message(of: rule).map { (rule, $0) } } }

    /// Whether any message has a text besides the default one.
    var hasLanguages: Bool { messages.contains { !$0.message.languages.isEmpty } }
}
