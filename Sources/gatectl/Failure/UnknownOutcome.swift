import GateAPI

/// What to do after a write was sent and its outcome is unknown.
enum UnknownOutcome {
    /// One line: what to look at, and what may be repeated.
    ///
    /// A command that changes gates or apps reads them first and finds its change made. A command that makes something new each time, such
    /// as a token or a window, would make a second one.
    /// - Parameter request: as `AdminClientError` names it: `POST /api/v1/tokens`.
    static func advice(about request: String) -> String {
        let path = request.split(separator: " ").last.map(String.init) ?? ""
        let steps = path.trimmingPrefix(Endpoint.base).split(separator: "/").map(String.init)
        let second = steps.count > 1 ? steps[1] : nil
        switch steps.first {
        case "changes", "import", "apply": return safe(after: "status")
        case "apps": return safe(after: "apps list")
        case "windows": return seen(with: second.map { "schedule show \(Style.safe($0))" } ?? "schedule list")
        case "tokens": return seen(with: "tokens list")
        case "users": return seen(with: "users list")
        case "rehearsals": return seen(with: "rehearse list")
        case "backups": return seen(with: "backup list")
        default: return seen(with: "audit")
        }
    }

    private static func safe(after look: String) -> String {
        "\(Invocation.sameServer(look)), then repeat the command if it is still needed: repeating is safe"
    }

    private static func seen(with look: String) -> String {
        "\(Invocation.sameServer(look)) shows whether it was done; repeat the command only if it was not"
    }
}
