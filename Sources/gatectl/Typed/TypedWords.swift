/// A command line as people type it, put in the order that the argument parser wants: the command and its words first, then the options,
/// `shop ios` for `shop/ios`.
struct TypedWords {
    let words: [String]

    init(_ typed: [String]) {
        // What a shell sends to ask for completions keeps its order.
        words = typed.first?.hasPrefix("---") == true ? typed : Self.split(Self.optionsLast(typed))
    }

    /// Whether the answer, and so a complaint about these words too, is to be JSON.
    var wantsJSON: Bool {
        words.contains("--json") || words.contains("--output=json")
            || zip(words, words.dropFirst()).contains { ($0 == "-o" || $0 == "--output") && $1 == "json" }
    }

    /// Every option of any command that is followed by a value. One that is missing here would leave its value among the command's words.
    private static let valued: Set = [
        "--accept", "--action", "--actor", "--add-release", "--alias", "--app", "--at", "--ca", "--client", "--clients", "--confirm",
        "--context", "--days", "-f", "--for", "--format", "--from", "--if-revision", "--limit", "--map", "-m", "--message", "--name", "-o",
        "--out", "--output", "--over", "--platform", "--platforms", "--publish", "--publish-endpoint", "-r", "--reason", "--release",
        "--releases", "--remove-alias", "--retry", "--revision", "--role", "--sample", "--server", "--since", "--store-url", "--then",
        "--timeout", "--to", "--tz", "--until", "--version-scheme", "--wait", "--wait-limit",
    ]

    /// Whether the next word is an option's value. Of letters in one word, such as `-qr`, the last one may have a value.
    static func takesValue(_ option: String) -> Bool {
        guard !option.contains("=") else { return false }
        let isPacked = option.count > 2 && !option.hasPrefix("--")
        let name = isPacked ? "-" + option.suffix(1) : option
        return valued.contains(name) || MistakenOption.ofVersion.contains(name)
    }

    /// Commands whose first words are an app and a platform.
    private static let ofTargets: Set = [
        "status", "kill", "open", "require", "suggest", "alert", "force", "simulate", "reach", "history", "diff", "rollback", "feed",
        "watch",
    ]

    private static func optionsLast(_ typed: [String]) -> [String] {
        var rest = typed[...]
        var (words, options): ([String], [String]) = ([], [])
        while let word = rest.first, word != "--" {
            rest.removeFirst()
            if word.count > 1, word.hasPrefix("-") {
                options.append(word)
                // Before the command, `--version` is about gatectl itself and takes no value.
                if !(words.isEmpty && word == "--version"), takesValue(word), let value = rest.popFirst() { options.append(value) }
            } else {
                words.append(word)
            }
        }
        // Asked about gatectl itself, `--version` is answered by the command `version`.
        if words.isEmpty, options.contains("--version") { (words, options) = (["version"], options.filter { $0 != "--version" }) }
        guard words.starts(with: ["schedule", "add"]), let terminator = rest.popFirst() else { return words + options + rest }
        let action = action(rest)
        return words + options + action.common + [terminator] + action.own
    }

    /// The options of every command, with their values in ``valued``.
    private static let common: Set = [
        "--context", "--timeout", "-o", "--output", "--json", "-q", "--quiet", "-v", "--verbose", "--no-color", "--utc", "--no-input",
    ]

    /// Takes the options of every command out of what follows `--` in `schedule add`: there is one server and one answer, wherever in the
    /// line they are named.
    private static func action(_ typed: ArraySlice<String>) -> (common: [String], own: [String]) {
        var rest = typed
        var (common, own): ([String], [String]) = ([], [])
        while let word = rest.first, word != "--" {
            rest.removeFirst()
            var option = [word]
            if word.count > 1, word.hasPrefix("-"), takesValue(word), let value = rest.popFirst() { option.append(value) }
            if Self.common.contains(String(word.prefix { $0 != "=" })) { common += option } else { own += option }
        }
        return (common, own + rest)
    }

    /// Where the app and the platform begin; nil for a command that names none.
    private static func place(in words: [String]) -> Int? {
        guard let command = words.first else { return nil }
        let second = words.count > 1 ? words[1] : ""
        switch command {
        case "schedule": return second == "add" ? 2 : nil
        case "rehearse": return second == "start" ? 2 : ["list", "show", "change", "end"].contains(second) ? nil : 1
        default: return ofTargets.contains(command) ? 1 : nil
        }
    }

    private static func split(_ words: [String]) -> [String] {
        guard let place = place(in: words), place < words.count, !words[place].hasPrefix("-") else { return words }
        let parts = words[place].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return words }
        return words[..<place] + parts.map(String.init) + words[(place + 1)...]
    }
}
