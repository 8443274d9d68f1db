import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct ScheduleRunCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "run",
        abstract: "Carry out a window's next step now: one that waits, or that was missed.",
        discussion: """
            EXAMPLE
              gatectl schedule run 12 -r INC-123
            """
    )

    @Argument(help: "The window's number, as in gatectl schedule list.") var id: Int
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var seen: WindowRevisionOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        try await WindowFlow.begin(session, write).run(id, ifRevision: seen.ifRevision, "Run window \(id) now")
    }
}
