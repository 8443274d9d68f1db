import ArgumentParser
import GateAPI
import GateJSON
import GateModel

struct RequireCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "require",
        abstract: "Set or clear the minimum version: whoever is below it must update.",
        discussion: """
            Versions that are blocked individually stay blocked. Without -m the present message stays.

            EXAMPLES
              gatectl require shop ios 4.2.0 -m "Please update." -r REL-42
              gatectl require shop android 41 -m "Please update." --dry-run
              gatectl require shop ios --clear
            """
    )

    @OptionGroup var target: TargetArguments
    @Argument(help: "The lowest version that may go on: 4.2.0, or a version code such as 41.") var version: String?
    @OptionGroup var message: MessageOption
    @Flag(name: .long, help: "Clear the minimum version.") var clear = false
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws { try VersionArgument.validate(version, message, clear: clear) }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let text = try message.text()
        try await WriteFlow.begin(session, write, revision).edit(
            target,
            "require",
            clear ? "Clear the minimum version of" : "Require \(version ?? "") of"
        ) {
            body in try edit(body.target.gate, text)
        }
    }

    /// The minimum version for a gate as it stands.
    /// - Parameter text: of the message; nil for the present one.
    func edit(_ gate: Gate, _ text: String?) throws(Failure) -> GateEdit {
        guard !clear, let version else { return GateEdit([.requiredUpdate: nil]) }
        let present = gate.requiredUpdate
        var rule: JSONObject = ["minimumVersion": .string(version)]
        if let blocked = present?.blockedVersions, !blocked.isEmpty { rule["blockedVersions"] = .array(blocked.map(JSONValue.string)) }
        rule["message"] = try MessageOption.kept(text, present?.message, for: "require")
        return GateEdit([.requiredUpdate: .object(rule)])
    }
}
