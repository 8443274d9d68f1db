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
            try refuse(command.wait)
            return GateEdit([.killSwitch: .object(try command.rule())])
        case "open":
            let command = try await parsed(OpenCommand.self, rest, \.write, \.revision)
            guard command.over == nil else {
                throw .usage("a window lets everybody in at once; leave --over after -- out, or open by hand: gatectl open --over")
            }
            try refuse(command.wait)
            return command.edit(targets.map(\.target.gate))
        case "require":
            let command = try await parsed(RequireCommand.self, rest, \.write, \.revision)
            let text = try command.message.text()
            return try shared(targets) { gate throws(Failure) in try command.edit(gate, text) }
        case "suggest":
            let command = try await parsed(SuggestCommand.self, rest, \.write, \.revision)
            let text = try command.message.text()
            return try shared(targets) { gate throws(Failure) in try command.edit(gate, text) }
        case "alert":
            let command = try await parsed(AlertCommand.self, rest, \.write, \.revision)
            let text = try command.text()
            return try shared(targets) { gate throws(Failure) in command.edit(gate, text) }
        case "force":
            let command = try await parsed(ForceCommand.self, rest, \.write, \.revision)
            let text = try command.message.text()
            return try shared(targets) { gate throws(Failure) in command.edit(gate, text) }
        default:
            let near = Suggestion.question(about: name, among: names)
            throw .usage("what follows -- is one of \(names.joined(separator: ", ")), not \(Style.safe(name))\(near)")
        }
    }

    /// What an opening of all gates leaves out, as a sentence; nil for a window that clears the alert too, or opens less.
    ///
    /// A window starts only if its rules are as they were when it was made. With the alert among them, any alert that is set meanwhile,
    /// even one that keeps nobody out, would keep the app shut; so only an alert that blocks already is among them.
    static func caution(_ edit: GateEdit) -> String? {
        let cleared = Set(edit.rules.filter { $0.json == nil }.map(\.rule))
        guard cleared == [.killSwitch, .forceUpdate, .requiredUpdate] else { return nil }
        return "The window leaves alerts as they are: one that is set meanwhile and blocks stays, and keeps people out."
    }

    private static func parsed<Command: GatectlCommand>(
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
        // Those spelled out have been put before it already (``TypedWords``); left are letters in one word, such as -qm.
        let (connection, output) = (command.common.connection, command.common.output)
        guard connection.context == nil, connection.timeout == nil, output.output == nil,
            ![output.json, output.quiet, output.verbose, output.noColour, output.utc, output.noInput].contains(true)
        else { throw .usage("the options of every command, such as -q and -o, are the window's: put them before --") }
        return command
    }

    private static func refuse(_ wait: WaitOptions) throws(Failure) {
        guard wait.wait == nil else {
            throw .usage(
                "phones have nothing to fetch before the window starts; leave --wait after -- out, and look with gatectl reach then"
            )
        }
    }

    /// A window sets one rule for all of its targets, so what the rule keeps of the present ones must be the same everywhere.
    private static func shared(
        _ targets: [TargetBody],
        _ edit: (Gate) throws(Failure) -> GateEdit
    ) throws(Failure) -> GateEdit {
        var edits: [GateEdit] = []
        for target in targets { edits.append(try edit(target.target.gate)) }
        guard Set(edits).count > 1 else { return edits[0] }
        func differs(_ member: String) -> Bool { Set(edits.map { $0.rules.first?.json?.object?[member] }).count > 1 }
        throw .usage(
            differs("message")
                ? "the targets have different messages now: say -m TEXT after --"
                : differs("blocking")
                    ? "the alert blocks on some of the targets now: say --blocking or --dismissible after --"
                    : "the targets block different versions one by one now: make a window for each"
        )
    }
}
