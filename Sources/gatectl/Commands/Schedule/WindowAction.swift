import ArgumentParser
import GateAPI
import GateJSON
import GateModel

/// What stands after `--` in `schedule add`: one of the commands that set rules, without app and platform.
enum WindowAction {
    static let names = ["kill", "open", "require", "suggest", "alert", "force"]

    /// The rules that the command sets, the same for every target.
    /// - Throws: wrong usage (64) for any other command, or for options that belong to the window.
    static func edit(_ words: [String], app: String, platform: String, targets: [TargetBody]) async throws(Failure) -> GateEdit {
        guard let name = words.first else { throw .usage("say after -- what is to happen: -- kill -m TEXT") }
        let rest = [app, platform] + words.dropFirst()
        switch name {
        case "kill":
            let command = try await parsed(KillCommand.self, rest, \.write, \.revision)
            guard command.span == nil, command.until == nil else {
                throw .usage("the window's own --until says when it ends; leave --for and --until after -- out")
            }
            var rule: JSONObject = ["message": .string(try command.message.needed(for: "kill"))]
            if let retry = command.retry { rule["retryInterval"] = .integer(retry.seconds) }
            return GateEdit([.killSwitch: .object(rule)])
        case "open":
            let command = try await parsed(OpenCommand.self, rest, \.write, \.revision)
            guard command.allGates else { return GateEdit([.killSwitch: nil]) }
            var rules: [Rule: JSONValue?] = [.killSwitch: nil, .forceUpdate: nil, .requiredUpdate: nil]
            if targets.contains(where: { $0.target.gate.blockingAlert != nil }) { rules.updateValue(nil, forKey: .alert) }
            return GateEdit(rules)
        case "require":
            let command = try await parsed(RequireCommand.self, rest, \.write, \.revision)
            guard !command.clear, let version = command.version else { return GateEdit([.requiredUpdate: nil]) }
            let message = try MessageOption.kept(
                try command.message.text(),
                try shared(targets.map { $0.target.gate.requiredUpdate?.message }),
                for: "require"
            )
            return GateEdit([.requiredUpdate: ["minimumVersion": .string(version), "message": message]])
        case "suggest":
            let command = try await parsed(SuggestCommand.self, rest, \.write, \.revision)
            guard !command.clear, let version = command.version else { return GateEdit([.optionalUpdate: nil]) }
            let message = try MessageOption.kept(
                try command.message.text(),
                try shared(targets.map { $0.target.gate.optionalUpdate?.message }),
                for: "suggest"
            )
            return GateEdit([.optionalUpdate: ["optionalVersion": .string(version), "message": message]])
        case "alert":
            let command = try await parsed(AlertCommand.self, rest, \.write, \.revision)
            guard !command.clear else { return GateEdit([.alert: nil]) }
            return GateEdit([.alert: ["message": .string(try command.message.needed(for: "alert")), "blocking": .bool(command.blocking)]])
        case "force":
            let command = try await parsed(ForceCommand.self, rest, \.write, \.revision)
            guard command.on else { return GateEdit([.forceUpdate: nil]) }
            return GateEdit([.forceUpdate: ["message": .string(try command.message.text() ?? ForceCommand.defaultMessage)]])
        default:
            let near = Suggestion.nearest(to: name, among: names).map { ". Did you mean \($0)?" } ?? ""
            throw .usage("what follows -- is one of \(names.joined(separator: ", ")), not \(Style.safe(name))\(near)")
        }
    }

    private static func parsed<Command: AsyncParsableCommand>(
        _: Command.Type,
        _ words: [String],
        _ write: KeyPath<Command, WriteOptions>,
        _ revision: KeyPath<Command, RevisionOption>
    ) async throws(Failure) -> Command {
        let command: Command
        // Not parse(_:): it stops the program, because the completion of app names is asynchronous.
        do { command = try await Command.asyncParse(words) } catch { throw .usage("after --: \(Command.message(for: error))") }
        let options = command[keyPath: write]
        guard command[keyPath: revision].ifRevision == nil else { throw .usage("--if-revision is the window's: put it before --") }
        guard options.reason == nil, options.confirm == nil, !options.dryRun, !options.yes, options.accept.isEmpty else {
            throw .usage("-r, -n, -y, --confirm and --accept are the window's: put them before --")
        }
        return command
    }

    /// A window has one message for all of its targets.
    private static func shared(_ messages: [Message?]) throws(Failure) -> Message? {
        guard Set(messages).count <= 1 else { throw .usage("the targets have different messages now: say -m TEXT after --") }
        return messages.first ?? nil
    }
}
