import ArgumentParser
import GateAPI
import GateJSON
import GateModel

struct SuggestCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "suggest",
        abstract: "Offer an update to whoever is below a version, or stop offering it.",
        discussion: """
            Without -m the present message stays.

            EXAMPLES
              gatectl suggest shop ios 4.3.0 -m "4.3 is out."
              gatectl suggest shop ios --clear
            """
    )

    @OptionGroup var target: TargetArguments
    @Argument(help: "The version that is offered: 4.3.0, or a version code such as 43.") var version: String?
    @OptionGroup var message: MessageOption
    @Flag(name: .long, help: "Stop offering an update.") var clear = false
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws { try VersionArgument.validate(version, message, clear: clear) }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let text = try message.text()
        try await WriteFlow.begin(session, write, revision).edit(
            target,
            "suggest",
            clear ? "Stop offering an update on" : "Offer \(version ?? "") on"
        ) { body in try edit(body.target.gate, text) }
    }

    /// The optional update for a gate as it stands.
    /// - Parameter text: of the message; nil for the present one.
    func edit(_ gate: Gate, _ text: String?) throws(Failure) -> GateEdit {
        guard !clear, let version else { return GateEdit([.optionalUpdate: nil]) }
        let kept = try MessageOption.kept(text, gate.optionalUpdate?.message, for: "suggest")
        return GateEdit([.optionalUpdate: ["optionalVersion": .string(version), "message": kept]])
    }
}
