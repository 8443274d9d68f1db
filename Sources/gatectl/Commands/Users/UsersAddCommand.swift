import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct UsersAddCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "add",
        abstract: "Add somebody who may sign in.",
        discussion: """
            They set their own password, with a link that works once and for 72 hours. Only the link is on standard output, and it is \
            never shown again; gatectl users invite makes another. Without --app they may touch all apps.

            EXAMPLES
              gatectl users add ann --role operator --app shop
              gatectl users add tom --role viewer --first-password
              gatectl users add sam --role viewer --password-stdin < password-file
            """
    )

    @Argument(help: "The name to sign in with.") var name: String
    @Option(name: .long, help: "viewer, operator or admin.") var role: WordArgument<Role>
    @Flag(name: .customLong("first-password"), help: "Ask for a password, which you pass on to them yourself, instead of making a link.")
    var asksPassword = false
    @OptionGroup var scope: ScopeOptions
    @OptionGroup var password: PasswordOption
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let apps = try await scope.scope(session.client) ?? .all
        if dryRun.isAsked {
            if try await session.client.users().contains(where: { $0.name.lowercased() == name.lowercased() }) {
                let next = ("next", Invocation.sameServer("users"))
                throw Failure(.refused, "exists", "there is already somebody called \(Style.safe(name))", next: [next])
            }
            try await dryRun.check(
                session,
                fault: Username.accepts(name)
                    ? nil
                    : (
                        "invalid_username",
                        "a user name has 1 to 64 letters, digits, dots, hyphens, underscores or @, starts with a letter or digit, and is not a number"
                    )
            )
            if dryRun.reports("add \(Style.safe(name)), \(role.word.rawValue) of \(Words.apps(apps))", console) { return }
        }
        let given = asksPassword || password.fromInput ? try password.read(for: name, console) : nil
        let request = UserRequest(username: name, role: role.word, apps: apps, password: given)
        let made = try await session.client.createUser(request)
        if let invitation = made.invitation {
            return try InvitationView(made.person, invitation, at: session.settings.server).show(console, after: "Added")
        }
        if console.isJSON { return console.json(Document.of(["changed": .bool(true), "user": made.person.json])) }
        console.data("Added \(UsersCommand.words(made.person))")
        console.note(
            "  next: tell them the address \(session.settings.server) and, separately, the password; they change it at their first sign-in"
        )
    }
}
