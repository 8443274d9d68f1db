import GateModel

/// What may be typed after a write that was not made, or whose outcome is unknown.
enum Repetition {
    /// The same command: it starts from what is there by then.
    case same
    /// The same command, which can name the target's revision that it is meant for.
    case revision
    /// Another command, which still means the same later.
    case instead(adding: [String], without: Set<String>)
    /// A file, which itself says which revisions it is for.
    case file

    /// What may be typed when the outcome is unknown; nil if repeating the same command is safe.
    func afterUnknown(_ arguments: [String] = CommandLine.arguments) -> String? {
        guard case .instead(let addition, let flags) = self else { return nil }
        return Invocation.command(adding: addition, without: flags, to: arguments)
    }

    static let looksAnew = "repeat the command: it looks again and shows what it would change now"

    /// What to do when somebody else changed a target between the look and the write.
    /// - Parameters:
    ///   - key: of the target.
    ///   - seen: the revision that the change was meant for; nil if that is not known.
    ///   - now: the present one.
    func afterChange(of key: TargetKey, from seen: Int?, to now: Int, _ arguments: [String] = CommandLine.arguments)
        -> [(label: String, text: String)]
    {
        // A mistyped --if-revision may be one that the target has not had: there is nothing to compare with.
        let difference = seen.flatMap { seen in
            0 < seen && seen < now
                ? ("now", Invocation.sameServer("diff \(key.app) \(key.platform) \(seen) \(now)", as: arguments)) : nil
        }
        let history = ("now", Invocation.sameServer("history \(key.app) \(key.platform)", as: arguments))
        switch self {
        case .same: return [difference ?? history, ("then", Self.looksAnew)]
        case .revision: return [difference ?? history, ("then", "repeat your command with --if-revision \(now)")]
        case .instead(let addition, let flags):
            let command = Invocation.command(adding: addition + ["--if-revision", "\(now)"], without: flags, to: arguments)
            return [difference ?? history, ("then", "to take that back too: \(command)")]
        case .file:
            let command = Invocation.command(adding: ["--ignore-revisions"], to: arguments)
            return [history, ("then", "export again, or apply it all the same: \(command)")]
        }
    }
}
