/// A command line as people type it, put in the order that the argument parser wants: options before the command, `shop/ios` for `shop ios`.
struct TypedWords {
    let words: [String]

    init(_ typed: [String]) {
        // What a shell asks for completions has an order of its own.
        words = typed.first?.hasPrefix("---") == true ? typed : Self.split(Self.commandFirst(typed))
    }

    /// Whether the answer, and so a complaint about these words too, is to be JSON.
    var wantsJSON: Bool {
        words.contains("--json") || words.contains("--output=json")
            || zip(words, words.dropFirst()).contains { ($0 == "-o" || $0 == "--output") && $1 == "json" }
    }

    /// Options that any command takes and that are followed by a value.
    private static let valued: Set = ["--context", "--timeout", "-o", "--output"]

    /// Options without a value, of any command; behind any other one stands its value.
    static let flags: Set = [
        "--json", "-q", "--quiet", "-v", "--verbose", "--no-color", "--utc", "-n", "--dry-run", "-y", "--yes", "--no-input", "-h", "--help",
        "--watch", "--exit-code", "--all-gates", "--clear", "--blocking", "--on", "--off", "--store-checked", "--seen", "--targeted",
        "--follow", "--all",
        "--last", "-i", "--document",
    ]

    /// Commands whose first words are an app and a platform.
    static let ofTargets: Set = [
        "status", "kill", "open", "require", "suggest", "alert", "force", "simulate", "history", "diff", "rollback", "feed", "watch",
    ]

    private static func commandFirst(_ typed: [String]) -> [String] {
        var index = 0
        while index < typed.count, typed[index].hasPrefix("-"), typed[index] != "--" { index += valued.contains(typed[index]) ? 2 : 1 }
        guard index > 0, index < typed.count else { return typed }
        // What asks about gatectl itself is no option of a command.
        guard !typed[..<index].contains("--version") else { return typed }
        return [typed[index]] + typed[(index + 1)...].prefix { $0 != "--" } + typed[..<index] + typed[(index + 1)...].drop { $0 != "--" }
    }

    private static func split(_ words: [String]) -> [String] {
        guard let command = words.first else { return words }
        var index = 1
        if command == "schedule", words.count > 1, words[1] == "add" || words[1] == "list" {
            index = 2
        } else if !ofTargets.contains(command) {
            return words
        }
        while index < words.count, words[index].hasPrefix("-") {
            if words[index] == "--" { return words }
            index += flags.contains(words[index]) || words[index].contains("=") ? 1 : 2
        }
        guard index < words.count else { return words }
        let parts = words[index].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return words }
        return words[..<index] + parts.map(String.init) + words[(index + 1)...]
    }
}
