import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct UsersSetCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "set",
        abstract: "Change what somebody may do, keep them out, or give them another password.",
        discussion: """
            What is not named stays. Another password, and --disable, end their sessions at once; another password ends their tokens too.

            EXAMPLES
              gatectl users set ann --role viewer
              gatectl users set ann --disable
              gatectl users set ann --password-stdin < password-file
            """
    )

    @Argument(help: "The person's name.") var name: String
    @Option(name: .long, help: "viewer, operator or admin.") var role: WordArgument<Role>?
    @Flag(help: "Keep them out, or let them in again.") var state: State?
    @Flag(name: .customLong("new-password"), help: "Ask for another password.") var asksPassword = false
    @Flag(name: .customLong("remove-second-factor"), help: "For somebody who has lost it.") var removesSecondFactor = false
    @OptionGroup var scope: ScopeOptions
    @OptionGroup var password: PasswordOption
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    enum State: String, EnumerableFlag {
        case disable, enable
    }

    func validate() throws {
        let isNothing = role == nil && state == nil && !asksPassword && !password.fromInput && !removesSecondFactor
        if isNothing, scope.apps.isEmpty, !scope.isEverything {
            throw ValidationError(
                "Say what is to be different: --role, --app, --all-apps, --disable, --enable, --new-password, --remove-second-factor"
            )
        }
    }

    /// What would be different, in words.
    private func differences(_ patch: UserPatch, from before: Person) -> [String] {
        var parts: [String] = []
        if let role = patch.role, role != before.role { parts.append(role.rawValue) }
        if let apps = patch.apps, apps != before.scope { parts.append("of \(Words.apps(apps))") }
        if let state, patch.disabled != before.isDisabled { parts.append("\(state.rawValue)d") }
        if asksPassword || password.fromInput { parts.append("with another password") }
        if removesSecondFactor, before.hasTOTP { parts.append("without a second factor") }
        return parts
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let before = try await UsersCommand.person(name, session.client)
        var patch = UserPatch(role: role?.word, apps: try await scope.scope(session.client), disabled: state.map { $0 == .disable })
        let words = UsersCommand.words(before)
        let differences = differences(patch, from: before)
        let what = differences.isEmpty ? words : "change \(words): \(differences.joined(separator: ", "))"
        try await dryRun.check(session)
        if dryRun.reports(what, changes: !differences.isEmpty, naming: ["username": before.name], console) { return }
        if asksPassword || password.fromInput { patch.password = try password.read(for: before.name, console) }
        if removesSecondFactor { patch.totp = false }
        let after = try await session.client.editUser(before.name, patch)
        let changed = after != before || patch.password != nil
        if console.isJSON { return console.json(Document.of(["changed": .bool(changed), "user": after.json])) }
        console.data(changed ? "Changed \(UsersCommand.words(after))" : "no change: \(UsersCommand.words(after))")
    }
}
