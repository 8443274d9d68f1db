import ArgumentParser
import GateJSON
import GateModel

struct AlertCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "alert",
        abstract: "Tell everybody something, or clear the alert.",
        discussion: """
            Phones show an alert that can be dismissed once for each wording: fixing a typo shows it to everybody again.
            --blocking lets nobody past.

            EXAMPLES
              gatectl alert shop ios -m "Card payments are slow today."
              gatectl alert shop ios -m "Down until noon." --blocking -r INC-123
              gatectl alert shop ios --clear
            """
    )

    @OptionGroup var target: TargetArguments
    @OptionGroup var message: MessageOption
    @Flag(name: .long, help: "Let nobody past the alert.") var blocking = false
    @Flag(name: .long, help: "Clear the alert.") var clear = false
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if clear, blocking || message.message != nil { throw ValidationError("--clear takes no message and no --blocking.") }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let edit =
            clear
            ? GateEdit([.alert: nil])
            : GateEdit([.alert: ["message": .string(try message.needed(for: "alert")), "blocking": .bool(blocking)]])
        try await WriteFlow.begin(session, write, revision).edit(
            target,
            clear ? "Clear the alert of" : blocking ? "Block with an alert" : "Alert"
        ) {
            _ in edit
        }
    }
}
