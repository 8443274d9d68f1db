package import GateModel

extension Actor {
    /// Whose share of what is there for all it uses: one person's with all of their tokens, or that of one token of the server's own. A
    /// script that runs wild under one name must leave room for everybody else.
    package var account: String {
        switch kind {
        case .user: "user \(name)"
        case .token: user.map { "user \($0)" } ?? "token \(id ?? name)"
        case .system: "system"
        }
    }
}
