import GateJSON

/// The command line that was typed, to be shown again with something added, and commands to type after it.
enum Invocation {
    /// - Parameters:
    ///   - addition: options and their values, put before a `--` and what follows it. They replace the same options if those were typed.
    ///   - left: options to leave out, with their values.
    static func command(adding addition: [String], without left: Set<String> = [], to arguments: [String] = CommandLine.arguments)
        -> String
    {
        let gone = left.union(addition.filter { $0.hasPrefix("-") })
        var words: [String] = []
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" {
                rest = [word] + rest
                break
            }
            if gone.contains(word) {
                if TypedWords.takesValue(word) { _ = rest.popFirst() }
            } else if !gone.contains(String(word.prefix { $0 != "=" })) {
                words.append(word)
                if TypedWords.takesValue(word), let value = rest.popFirst() { words.append(value) }
            }
        }
        return (["gatectl"] + words + addition + rest).map(\.asShellWord).joined(separator: " ")
    }

    /// A command to type next, about the server that was asked just now: if an option chose that server, the command names it again,
    /// because without it the command would go to the current context. What is set in the environment is still set where the command is
    /// typed.
    /// - Parameter command: without `gatectl`, and without anything after a `--`.
    static func sameServer(_ command: String, as arguments: [String] = CommandLine.arguments) -> String {
        let chosen = chosen(TypedWords(Array(arguments.dropFirst())).words.prefix { $0 != "--" })
        // As for the connection itself, the address goes before the name.
        if let server = chosen.server {
            if takesAddress.contains(where: command.hasPrefix) { return "gatectl \(command) --server \(server.asShellWord)" }
            return "GATECTL_SERVER=\(server.asShellWord) gatectl \(command)"
        }
        return "gatectl \(command)" + (chosen.context.map { " --context \($0.asShellWord)" } ?? "")
    }

    /// The commands for which the server is chosen that have an option `--server`.
    private static let takesAddress = ["auth login", "auth logout"]

    /// The values of the options that choose a server; of several, the last one counts.
    private static func chosen(_ words: ArraySlice<String>) -> (context: String?, server: String?) {
        var (context, server): (String?, String?)
        var rest = words
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = TypedWords.takesValue(word) ? rest.popFirst() : parts.count > 1 ? parts[1] : nil
            if parts[0] == "--context" { context = value }
            if parts[0] == "--server" { server = value }
        }
        return (context, server)
    }
}
