import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct RehearseListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "The rehearsals of the apps that you may change, the newest first.",
        discussion: """
            EXAMPLE
              gatectl rehearse list --json
            """
    )

    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let rehearsals = try await session.client.rehearsals()
        switch console.format {
        case .json: console.json(Document.list(rehearsals.map(\.json)))
        case .plain:
            for one in rehearsals {
                let words = [one.id, one.target.description, one.until.description, one.actor.inWords, String(one.pollCount)]
                console.data(words.map(Style.safe).joined(separator: "\t"))
            }
        case .table, .wide:
            guard !rehearsals.isEmpty else {
                return console.data("There is no rehearsal. Begin one with: \(Invocation.sameServer("rehearse shop ios -f gate.json"))")
            }
            var table = Table(["ID", "TARGET", "UNTIL", "BY", "POLLS"], flexible: [3])
            table.rows = rehearsals.map { one in
                [
                    .init(Style.safe(one.id)), .init(one.target.description), .init(Words.time(one.until, inUTC: console.inUTC)),
                    .init(Style.safe(one.actor.inWords)), .init(String(one.pollCount)),
                ]
            }
            console.table(table)
        }
    }
}
