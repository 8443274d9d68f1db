import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct ScheduleEndCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "end",
        abstract: "End a running window now, as it would end by itself: what it did is taken back.",
        discussion: """
            EXAMPLE
              gatectl schedule end 12 -r "The sale starts early"
            """
    )

    @Argument(help: "The window's number, as in gatectl schedule list.") var id: Int
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var seen: WindowRevisionOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        try await WindowFlow.begin(session, write).run(id, step: .end, ifRevision: seen.ifRevision, "End window \(id) now")
    }
}
