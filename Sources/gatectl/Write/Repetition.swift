import GateModel

/// What may be typed after a write that was not done, or of which nobody knows whether it was done.
enum Repetition {
    /// The same words: they are about what is there then.
    case same
    /// The same words, which may say for which revision of the target they are.
    case revision
    /// Other words that mean the same later too.
    case instead(adding: [String], without: Set<String>)
    /// A file, which says itself for which revisions it is.
    case file

    /// What may be typed when nobody knows what came of it; nil where the same words are safe.
    func afterUnknown(_ arguments: [String] = CommandLine.arguments) -> String? {
        guard case .instead(let addition, let flags) = self else { return nil }
        return Invocation.command(adding: addition, without: flags, to: arguments)
    }

    static let looksAnew = "repeat the command: it looks anew and shows what it would change now"

    /// What to do where somebody else changed a target between the look and the write.
    /// - Parameters:
    ///   - key: of the target.
    ///   - seen: the revision at which the change was meant; nil where that is not known.
    ///   - now: the present one.
    func afterChange(of key: TargetKey, from seen: Int?, to now: Int, _ arguments: [String] = CommandLine.arguments)
        -> [(label: String, text: String)]
    {
        let difference = seen.map { ("now", "gatectl diff \(key.app) \(key.platform) \($0) \(now)") }
        let history = ("now", "gatectl history \(key.app) \(key.platform)")
        switch self {
        case .same: return [difference ?? history, ("then", Self.looksAnew)]
        case .revision: return [difference ?? history, ("then", "repeat your command with --if-revision \(now)")]
        case .instead(let addition, let flags):
            let command = Invocation.command(adding: addition + ["--if-revision", "\(now)"], without: flags, to: arguments)
            return [difference ?? history, ("then", "to take that back too: \(command)")]
        case .file:
            let command = Invocation.command(adding: ["--ignore-revisions"], to: arguments)
            return [history, ("then", "export anew, or apply it all the same: \(command)")]
        }
    }
}
