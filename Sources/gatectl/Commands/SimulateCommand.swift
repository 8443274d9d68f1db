import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct SimulateCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "What a phone with this version of the app shows. Changes nothing.",
        discussion: """
            The server runs the feeds that phones poll through a model of each client library: now, at a time with the windows that
            come before it, or with the gate in a file in the place of the present one.

            EXAMPLES
              gatectl simulate shop ios 4.1.0
              gatectl simulate shop android --version 41 --client gandalf --seen
              gatectl simulate shop android --version 41 --client gandalf --release 1.3.1
              gatectl simulate shop ios --version 4.1.0 --at "tomorrow 09:00"
              gatectl simulate shop ios --version 4.1.0 -f gate.json --json
            """
    )

    @Argument(help: "The app's key.", completion: .custom { _, _, _ async in await LiveNames.apps() }) var app: String
    @Argument(help: "The platform.", completion: .custom { _, _, _ async in await LiveNames.platforms() }) var platform: String
    @Argument(help: ArgumentHelp("The installed version, such as 4.1.0, or on Android its code, such as 41.", valueName: "version"))
    var typed: String?
    @Option(name: .customLong("version"), help: "The same.") var named: String?
    @Option(name: .long, help: "Only this library: bellerophon, launchgate, gandalf or prince-of-versions.") var client: ClientArgument?
    @Option(name: .long, help: "Gandalf in this release: 1.3.1, 1.4.0 or 1.4.1. Default: 1.4.0, which most phones have.") var release:
        WordArgument<GandalfRelease>?
    @Option(name: .long, help: "The moment: 09:00, \"tomorrow 09:00\", \"2026-03-30 09:00\" or 2026-03-30T09:00:00Z.") var at: String?
    @Option(name: .customLong("tz"), help: "The zone of --at, such as Europe/Berlin. Default: the local one.") var zone: String?
    @Option(name: .short, help: "The gate in this file in the place of the present one; - reads standard input.", completion: .file())
    var file: String?
    @Flag(name: .long, help: "A phone that was shown all this before.") var seen = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try ZoneArgument.validate(zone)
        if (typed == nil) == (named == nil) { throw ValidationError("Name one version: gatectl simulate \(app) \(platform) 4.1.0") }
        if release != nil, client?.library != .gandalf { throw ValidationError("--release is of Gandalf: say --client gandalf with it.") }
    }

    func execute(_ console: Console) async throws {
        guard let installed = typed ?? named else { return }
        let session = try Session.open(common.connection, console)
        let target = try await TargetLookup(client: session.client).target(app, platform).target
        let status = try await session.client.status()
        var request = SimulationRequest(
            app: target.key.app.text,
            platform: target.key.platform.text,
            client: client?.library,
            release: release?.word,
            version: installed,
            seen: seen
        )
        if let file { request.set = GateEdit(replacingWith: try GateFile.read(file, settings: target.settings)) }
        if let at { request.at = try TimeArgument.parse(at, now: status.serverTime, zone: ZoneArgument.zone(zone)) }
        let first = try await session.client.simulate(request)
        var simulations = [first]
        // Every library that can be out there is told of, unless one was named.
        for other in first.clients where client == nil && other != first.client {
            request.client = other
            simulations.append(try await session.client.simulate(request))
        }
        show(simulations, console)
    }

    private func show(_ simulations: [Simulation], _ console: Console) {
        switch console.format {
        case .json: console.json(Document.list(simulations.map(\.json)))
        case .plain:
            for one in simulations {
                console.data(
                    [
                        one.client.rawValue, one.outcome.rawValue, one.rule?.rawValue ?? "", Style.safe(one.message ?? ""),
                        one.buttons.joined(separator: ","),
                    ].joined(separator: "\t")
                )
            }
        case .table, .wide:
            guard let first = simulations.first else { return }
            let draft = file == nil ? "" : " with \(Style.safe(file ?? ""))"
            let moment = at == nil ? "" : " at \(Words.time(first.at, inUTC: console.inUTC))"
            console.data("\(first.target) version \(Style.safe(first.version)), revision \(first.revision)\(draft)\(moment)")
            for one in simulations {
                console.data(
                    "\(console.out.tinted(Words.badge(one.outcome), Words.tint(one.outcome)))  \(one.client.title)\(one.release.map { " \($0.rawValue)" } ?? "")"
                )
                if let message = one.message {
                    console.data(
                        "  Users see: “\(Style.safe(message))”" + (one.buttons.isEmpty ? "" : "  [\(one.buttons.joined(separator: "] ["))]")
                    )
                }
                console.data("  \(Style.safe(one.detail))")
                for hidden in one.hidden { console.data("  Not shown: \(hidden.rule.rawValue). \(Style.safe(hidden.detail))") }
            }
        }
    }
}
