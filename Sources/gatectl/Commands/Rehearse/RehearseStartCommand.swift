import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct RehearseStartCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "start",
        abstract: "Begin one; the word start may be left out.",
        discussion: """
            Without -f the gate in force is rehearsed. --watch shows the polls as they come.

            EXAMPLES
              gatectl rehearse shop ios -f gate.json
              gatectl rehearse shop ios -f gate.json --for 30m --watch
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var app: String
    @Argument(help: "The platform.", completion: LiveNames.platforms) var platform: String
    @Option(name: .short, help: "The gate to try; - reads standard input.", completion: .file()) var file: String?
    @Option(name: .customLong("for"), help: "How long, from 1m to 24h (default: 2h).") var span: Span?
    @Flag(name: .long, help: "Show the polls that come to it, until Ctrl-C; the rehearsal goes on.") var watch = false
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let target = try await TargetLookup(client: session.client).target(app, platform).target
        let status = try await session.client.status()
        var request = RehearsalRequest(app: target.key.app.text, platform: target.key.platform.text, span: span.map { Int64($0.seconds) })
        if let file { request.gate = GateEdit(replacingWith: try GateFile.read(file, settings: target.settings)) }
        let gate = file.map { "the gate of \(InputFile.name($0))" } ?? "the gate that is in force"
        try await dryRun.check(session, needs: .operator, fault: RehearseCommand.fault(of: span))
        if dryRun.reports("rehearse \(gate) for \(target.key)", naming: ["target": target.key.description], console) { return }
        let rehearsal = try await session.client.beginRehearsal(request)
        let view = RehearsalView(console: console, session: session)
        view.show(rehearsal, feedsPort: status.feedsPort, "is rehearsed")
        let end = Invocation.sameServer("rehearse end \(Style.safe(rehearsal.id))")
        console.note("What everybody else's phones get stays as it is. End it with: \(end)")
        if watch { try await view.follow(rehearsal) }
    }
}
