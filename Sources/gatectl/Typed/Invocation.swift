import GateJSON

/// The command line that was typed, to be shown again with something added.
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
}
