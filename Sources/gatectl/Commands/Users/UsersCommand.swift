import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "List, add, invite, change and remove the people who may sign in.",
        discussion: """
            EXAMPLES
              gatectl users
              gatectl users add ann --role operator --app shop
              gatectl users invite ann
              gatectl users set ann --disable
              gatectl users remove ann
            """,
        subcommands: [UsersListCommand.self, UsersAddCommand.self, UsersInviteCommand.self, UsersSetCommand.self, UsersRemoveCommand.self],
        defaultSubcommand: UsersListCommand.self
    )

    /// `ann, operator of bank, shop`
    static func words(_ person: Person) -> String {
        Style.safe("\(person.name), \(person.role.rawValue) of \(Words.apps(person.scope))") + (person.isDisabled ? ", disabled" : "")
    }

    /// Whether and how somebody can sign in, in a few words.
    static func state(_ person: Person, inUTC: Bool) -> String {
        if person.isDisabled { return "disabled" }
        if person.origin == .proxy { return "signed in by a proxy" }
        guard let until = person.invitedUntil else { return person.hasPassword ? "active" : "no password" }
        return "\(person.hasPassword ? "active, " : "")invited until \(Words.time(until, inUTC: inUTC))"
    }

    /// - Throws: not found, with the nearest name.
    static func person(_ name: String, _ client: AdminClient) async throws -> Person {
        let all = try await client.users()
        if let person = all.first(where: { $0.name.lowercased() == name.lowercased() }) { return person }
        let near = Suggestion.question(about: name, among: all.map(\.name))
        let next = ("next", Invocation.sameServer("users"))
        throw Failure(.notFound, "user_not_found", "there is nobody called \(Style.safe(name))\(near)", next: [next])
    }
}
