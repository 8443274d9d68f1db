import ArgumentParser
import GateAPI
import GateJSON
import GateModel

struct AlertCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "alert",
        abstract: "Tell everybody something, or clear the alert.",
        discussion: """
            Phones show an alert that can be dismissed once for each wording: fixing a typo shows it to everybody again.
            --blocking lets nobody past. Without --blocking and --dismissible, an alert that blocks goes on blocking with another text.

            EXAMPLES
              gatectl alert shop ios -m "Card payments are slow today."
              gatectl alert shop ios -m "Down until noon." --blocking -r INC-123
              gatectl alert shop ios -m "Up again, but slow." --dismissible
              gatectl alert shop ios --clear
            """
    )

    @OptionGroup var target: TargetArguments
    @OptionGroup var message: MessageOption
    @Flag(name: .long, help: "Let nobody past the alert.") var blocking = false
    @Flag(name: .long, help: "Let everybody dismiss it, also where one blocks now.") var dismissible = false
    @Flag(name: .long, help: "Clear the alert.") var clear = false
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if clear, blocking || dismissible || message.message != nil {
            throw ValidationError("--clear takes no message, no --blocking and no --dismissible.")
        }
        if blocking, dismissible { throw ValidationError("Say --blocking or --dismissible, not both.") }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let text = try text()
        try await WriteFlow.begin(session, write, revision).edit(
            target,
            "alert",
            clear ? "Clear the alert of" : blocking ? "Block with an alert" : "Alert"
        ) {
            body in edit(body.target.gate, text)
        }
    }

    /// The text that the alert needs; nil to clear it.
    func text() throws(Failure) -> String? { clear ? nil : try message.needed(for: "alert") }

    /// The alert for a gate as it stands: whether it blocks stays as it is where nothing is said, so that another wording lets nobody in.
    /// - Parameter text: nil to clear the alert.
    func edit(_ gate: Gate, _ text: String?) -> GateEdit {
        guard let text else { return GateEdit([.alert: nil]) }
        let blocks = blocking || !dismissible && gate.blockingAlert != nil
        return GateEdit([.alert: ["message": .string(text), "blocking": .bool(blocks)]])
    }
}
