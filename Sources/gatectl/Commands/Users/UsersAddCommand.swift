import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct UsersAddCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add somebody who may sign in.",
        discussion: """
            Who may touch which apps is said once: without --app somebody is let at all of them.

            EXAMPLES
              gatectl users add ann --role operator --app shop
              gatectl users add sam --role viewer --password-stdin < password-file
            """
    )

    @Argument(help: "The name to sign in with.") var name: String
    @Option(name: .long, help: "viewer, operator or admin.") var role: WordArgument<Role>
    @OptionGroup var scope: ScopeOptions
    @OptionGroup var password: PasswordOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let apps = try scope.scope() ?? .all
        let request = UserRequest(username: name, role: role.word, apps: apps, password: try password.read(for: name, console))
        let made = try await session.client.createUser(request)
        if console.isJSON { return console.json(Document.of(["changed": .bool(true), "user": made.json])) }
        console.data("Added \(UsersCommand.words(made))")
        console.note("  next: tell them the address \(session.settings.server), and by another way the password; they change it at their first sign-in")
    }
}
