import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct UsersInviteCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "invite",
        abstract: "Give somebody a new link to set their password: the first was lost, or the password forgotten.",
        discussion: """
            An earlier link is void. A password that they have goes on working until the new link is used; then their sessions and tokens end. \
            Whoever has a second factor is asked for its code. Only the link is on standard output, and it is never shown again.

            EXAMPLES
              gatectl users invite ann
              gatectl users invite ann --json
            """
    )

    @Argument(help: "The person's name.") var name: String
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let found = try await UsersCommand.person(name, session.client)
        try await dryRun.check(session)
        if dryRun.reports("make another link for \(UsersCommand.words(found))", naming: ["username": found.name], console) { return }
        let made = try await session.client.inviteUser(found.name)
        guard let invitation = made.invitation else {
            let next = ("run", Invocation.sameServer("users"))
            throw Failure(.other, "bad_answer", "the server answered without an invitation", next: [next])
        }
        try InvitationView(made.person, invitation, at: session.settings.server).show(console, after: "Invited")
    }
}
