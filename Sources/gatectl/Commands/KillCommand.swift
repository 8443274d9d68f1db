import ArgumentParser
import GateModel

struct KillCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "Block everybody, whatever their version.",
        discussion: """
            Blocked phones ask again every --retry seconds and come back by themselves once you open.

            EXAMPLES
              gatectl kill shop ios -m "Back at 09:30." -r INC-123
              gatectl kill shop ios -m @message.txt --retry 30s --dry-run
              gatectl kill shop all -m "Back soon." -r INC-123 --confirm "kill 2 targets"
            """
    )

    @OptionGroup var target: TargetArguments
    @OptionGroup var message: MessageOption
    @Option(name: .long, help: "How often blocked phones ask again, 5s to 1h. Default: the platform's setting.") var retry: Span?
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        var rule: JSONObject = ["message": .string(try message.needed(for: "kill"))]
        if let retry { rule["retryInterval"] = .integer(retry.seconds) }
        let edit = GateEdit([.killSwitch: .object(rule)])
        try await WriteFlow.begin(session, write).edit(target, "Block") { _ in edit }
    }
}
