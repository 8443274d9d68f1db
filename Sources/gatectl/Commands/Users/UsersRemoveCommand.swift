import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct UsersRemoveCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "remove",
        abstract: "Remove somebody; their sessions and tokens end, what they did stays in the history.",
        discussion: """
            EXAMPLES
              gatectl users remove ann
              gatectl users remove ann -y
            """
    )

    @Argument(help: "The person's name.") var name: String
    @Flag(name: [.short, .long], help: "Do not ask.") var yes = false
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let found = try await UsersCommand.person(name, session.client)
        let words = UsersCommand.words(found)
        try await dryRun.check(session)
        if dryRun.reports("remove \(words)", naming: ["username": found.name], console) { return }
        try Consent(console: console, isGiven: yes).require("Remove \(words)", because: "\(words) is kept out, and so are their tokens")
        try await session.client.deleteUser(found.name)
        if console.isJSON { return console.json(Document.of(["changed": .bool(true), "username": .string(found.name)])) }
        console.data("Removed \(words)")
    }
}
