import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct RehearseEndCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "end",
        abstract: "End one: its addresses answer 404.",
        discussion: """
            EXAMPLE
              gatectl rehearse end k3_x9AbZ
            """
    )

    @Argument(help: "Its id, as in gatectl rehearse list.") var id: String
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        if dryRun.isAsked {
            let rehearsal = try await session.client.rehearsal(id)
            try await dryRun.check(session)
            if dryRun.reports("end rehearsal \(Style.safe(id)) of \(rehearsal.target)", naming: ["id": id], console) { return }
        }
        try await session.client.endRehearsal(id)
        if console.isJSON { return console.json(Document.of(["changed": .bool(true), "id": .string(id)])) }
        console.data("Ended rehearsal \(Style.safe(id))")
    }
}
