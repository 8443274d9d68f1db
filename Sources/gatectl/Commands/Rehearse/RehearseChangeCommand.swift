import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct RehearseChangeCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "change",
        abstract: "Try another gate at the same addresses, or for longer; the phone gets it with its next poll.",
        discussion: """
            EXAMPLES
              gatectl rehearse change k3_x9AbZ -f gate.json
              gatectl rehearse change k3_x9AbZ --for 1h        from now on
            """
    )

    @Argument(help: "Its id, as in gatectl rehearse list.") var id: String
    @Option(name: .short, help: "The gate to try; - reads standard input.", completion: .file()) var file: String?
    @Option(name: .customLong("for"), help: "How long from now on, from 1m to 24h.") var span: Span?
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if file == nil, span == nil { throw ValidationError("Say what to change: a gate with -f gate.json, or --for 1h.") }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        var patch = RehearsalPatch(span: span.map { Int64($0.seconds) })
        if let file {
            let key = try await session.client.rehearsal(id).target
            let target = try await session.client.target(key.app.text, key.platform.text).target
            patch.gate = GateEdit(replacingWith: try GateFile.read(file, settings: target.settings))
        }
        if dryRun.isAsked {
            try await dryRun.check(session, needs: .operator, fault: RehearseCommand.fault(of: span))
            let target = try await session.client.rehearsal(id).target
            if dryRun.reports("change rehearsal \(Style.safe(id)) of \(target)", naming: ["id": id], console) { return }
        }
        let rehearsal = try await session.client.alterRehearsal(id, patch)
        let view = RehearsalView(console: console, session: session)
        view.show(rehearsal, feedsPort: try await session.client.status().feedsPort, "is now rehearsed")
    }
}
