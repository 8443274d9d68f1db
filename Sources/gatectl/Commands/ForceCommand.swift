import ArgumentParser
import GateAPI
import GateJSON
import GateModel

struct ForceCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "force",
        abstract: "Force everybody to update, or stop forcing them.",
        discussion: """
            Every version is blocked until it is updated; where no newer version can be downloaded, users are stuck. So --on wants \
            --store-checked: you have seen the newer version in the store.

            EXAMPLES
              gatectl force shop ios --on --store-checked -m "Please update." -r INC-123
              gatectl force shop ios --off -r INC-123
            """
    )

    @OptionGroup var target: TargetArguments
    @Flag(name: .long, help: "Force the update.") var on = false
    @Flag(name: .long, help: "Stop forcing it.") var off = false
    @Flag(name: .customLong("store-checked"), help: "The newer version can be downloaded from the store: you have looked.")
    var storeChecked = false
    @OptionGroup var message: MessageOption
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    /// For somebody in a hurry: the rule must have a message.
    static let defaultMessage = "Please update to the newest version."

    func validate() throws {
        if on == off { throw ValidationError("Say --on or --off.") }
        if off, message.message != nil || storeChecked { throw ValidationError("--off takes no message and no --store-checked.") }
        if on, !storeChecked {
            throw ValidationError(
                "Check that the newer version can be downloaded from the store, then add --store-checked; otherwise users are stuck."
            )
        }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let text = try message.text()
        try await WriteFlow.begin(session, write, revision).edit(
            target,
            "force",
            on ? "Force everybody to update" : "Stop forcing the update of"
        ) {
            body in edit(body.target.gate, text)
        }
    }

    /// The forced update for a gate as it stands.
    /// - Parameter text: of the message; nil for the present one.
    func edit(_ gate: Gate, _ text: String?) -> GateEdit {
        guard on else { return GateEdit([.forceUpdate: nil]) }
        let present = gate.forceUpdate?.message ?? .text(Self.defaultMessage)
        return GateEdit([.forceUpdate: ["message": text.map(JSONValue.string) ?? present.json]])
    }
}
