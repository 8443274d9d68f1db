import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct StatusCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "status",
        abstract: "What users face now, worst first.",
        discussion: """
            EXAMPLES
              gatectl status
              gatectl status shop ios --json
              gatectl status --exit-code      exits 10 when anybody is blocked
              gatectl status --watch          stays and redraws
            """
    )

    @OptionGroup var filter: TargetFilter
    @Flag(name: .long, help: "Stay, and show every change within a second.") var watch = false
    @Flag(name: .customLong("exit-code"), help: "Exit 10 when anybody is blocked.") var exitCode = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if watch, exitCode { throw ValidationError("--watch never ends, so it has no --exit-code.") }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let filter = filter.inProject(console)
        if watch { return try await StatusWatch(session: session, filter: filter).run() }
        let (targets, (windows, status)) = try await session.together {
            try await StatusList.targets(session, filter)
        } _: {
            try await session.together {
                try await StatusList.windows(session, filter)
            } _: {
                try await session.client.status()
            }
        }
        let outlook = try await Outlook(windows, knowing: targets, session.client)
        let list = StatusList(session: session, status: status, targets: targets, outlook: outlook)
        list.print()
        if exitCode, targets.contains(where: { $0.state == .blocked }) { throw ExitCode(Exit.different) }
    }
}
