/// What somebody types to confirm a dangerous change: a target, or a verb and the number of targets.
public enum ConfirmationPhrase {
    /// What a plan over several targets asks for: `kill 2 targets`.
    public static func many(_ verb: String, _ count: Int) -> String { "\(verb) \(count) targets" }

    /// Whether a typed phrase confirms what a plan asks for.
    ///
    /// White space at the ends and letter case are ignored, because people paste. Somebody who confirmed more targets than are left,
    /// because another person already changed one, has confirmed the remaining ones too; somebody who confirmed fewer has not.
    /// - Parameters:
    ///   - verb: of the change; what is left of several targets is confirmed with it.
    ///   - named: how many targets the command names, which is the most that may be confirmed; nil where the command names none
    ///     itself, and then only the exact phrase is accepted.
    public static func accepts(_ typed: String, for phrase: String, verb: String? = nil, named: Int? = nil) -> Bool {
        let (typed, phrase) = (normal(typed), normal(phrase))
        if typed == phrase { return true }
        guard let named, let given = counted(typed), given.count <= named else { return false }
        guard let wanted = counted(phrase) else {
            return phrase.contains("/") && !phrase.contains(" ") && given.count > 1 && verb.map { given.verb == $0 } ?? false
        }
        return given.verb == wanted.verb && given.count >= wanted.count
    }

    private static func normal(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()).lowercased()
    }

    private static func counted(_ phrase: String) -> (verb: Substring, count: Int)? {
        let words = phrase.split(separator: " ")
        guard words.count == 3, words[2] == "targets", let count = Int(words[1]) else { return nil }
        return (words[0], count)
    }
}
