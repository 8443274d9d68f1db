import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct SimulateCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "simulate",
        abstract: "What phones show, by version and client library. Changes nothing.",
        discussion: """
            The server runs the feeds that phones poll through a model of each client library: now, at a coming time with the windows \
            until then, at a past time as the history has it, or with the gate in a file instead of the present one. One version is shown \
            in full; several, or those that matter if none is named, as a table, with what is not as meant.

            EXAMPLES
              gatectl simulate shop ios
              gatectl simulate shop ios 4.1.0
              gatectl simulate shop ios --version 4.0.0 --version 4.1.0 --targeted
              gatectl simulate shop ios --at "yesterday 14:03"
              gatectl simulate shop ios --revision 41
              gatectl simulate shop android --version 41 --client gandalf --seen
              gatectl simulate shop android --version 41 --client gandalf --release 1.3.1
              gatectl simulate shop ios --version 4.1.0 --at "tomorrow 09:00"
              gatectl simulate shop ios --version 4.1.0 -f gate.json --json
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var app: String
    @Argument(help: "The platform.", completion: LiveNames.platforms) var platform: String
    @Argument(
        help: ArgumentHelp(
            "The installed versions, such as 4.1.0, or on Android codes, such as 41. Default: those that matter.",
            valueName: "version"
        )
    )
    var typed: [String] = []
    @Option(name: .customLong("version"), help: "The same; may be given several times.") var named: [String] = []
    @Option(name: .long, help: "Only this library: bellerophon, launchgate, gandalf or prince-of-versions.") var client: ClientArgument?
    @Option(name: .long, help: "Gandalf in this release: 1.3.1, 1.4.0 or 1.4.1. Default: 1.4.0, which most phones have.") var release:
        WordArgument<GandalfRelease>?
    @Option(
        name: .long,
        help:
            "The moment: 09:00, \"tomorrow 09:00\", \"yesterday 14:03\", \"last tuesday 14:03\", \"2026-03-30 09:00\" or 2026-03-30T09:00:00Z."
    )
    var at: String?
    @Option(name: .customLong("tz"), help: "The zone of --at, such as Europe/Berlin. Default: the local one.") var zone: String?
    @Option(name: .long, help: "Instead of a moment: what this revision of the target left in force.") var revision: Int?
    @Option(name: .short, help: "The gate in this file instead of the present one; - reads standard input.", completion: .file())
    var file: String?
    @Flag(name: .long, help: "A phone that was shown all this before.") var seen = false
    @Flag(name: .long, help: "Use the feed that is requested with the version (?version=4.1.0), not the one for everybody.") var targeted =
        false
    @OptionGroup var common: CommonOptions

    private var versions: [String] { typed + named }

    func validate() throws {
        try ZoneArgument.validate(zone)
        if !typed.isEmpty, !named.isEmpty {
            let command = Invocation.sameServer("simulate \(app) \(platform) \(versions.joined(separator: " "))")
            throw ValidationError("Name versions one way: \(command)")
        }
        if revision != nil, at != nil || file != nil { throw ValidationError("--revision says what was in force: leave --at and -f out.") }
        if let revision, revision < 1 { throw ValidationError("--revision is a whole number from 1 on.") }
        if release != nil, client?.library != .gandalf { throw ValidationError("--release is for Gandalf only: add --client gandalf.") }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        var set: GateEdit?
        if let file {
            let target = try await TargetLookup(client: session.client).target(app, platform).target
            set = GateEdit(replacingWith: try GateFile.read(file, settings: target.settings))
        }
        let now = try await session.client.status().serverTime
        let moment = try at.map { try TimeArgument.parse($0, now: now, zone: ZoneArgument.zone(zone), looksBack: true) }
        // The past, a revision and targeted feeds can only be simulated as a table, even for one version.
        if versions.count == 1, revision == nil, !targeted, moment.map({ $0 >= now }) ?? true {
            return try await showOne(versions[0], set: set, at: moment, session, console)
        }
        var request = asked
        (request.phones, request.set, request.at, request.revision) = (.versions(versions), set, moment, revision)
        let matrix = try await matrix(request, session)
        MatrixView(matrix: matrix, file: file, isTargeted: targeted, now: now, zone: ZoneArgument.zone(zone)).show(console)
    }

    /// The history may still know a target that is gone; for one that never existed, the error says what was probably meant.
    private func matrix(_ request: SimulationRequest, _ session: Session) async throws -> SimulationMatrix {
        let answer: Result<SimulationMatrix, AdminClientError>
        do throws(AdminClientError) { answer = .success(try await session.client.matrix(request)) } catch { answer = .failure(error) }
        if case .failure(let error) = answer, error.status == 404, revision == nil {
            _ = try await TargetLookup(client: session.client).target(app, platform)
        }
        return try answer.get()
    }

    private var asked: SimulationRequest {
        SimulationRequest(app: app, platform: platform, client: client?.library, release: release?.word, phones: .versions([]), seen: seen)
    }

    private func showOne(_ version: String, set: GateEdit?, at: Timestamp?, _ session: Session, _ console: Console) async throws {
        _ = try await TargetLookup(client: session.client).target(app, platform)
        var request = asked
        (request.phones, request.set, request.at) = (.version(version), set, at)
        let first = try await session.client.simulate(request)
        var simulations = [first]
        // Unless one library was named, every library that may be in use is shown.
        for other in first.clients where client == nil && other != first.client {
            request.client = other
            simulations.append(try await session.client.simulate(request))
        }
        var cells: [SimulationMatrix.Cell] = []
        if console.format == .table || console.format == .wide {
            // If the feed for everybody does not show what is meant: why, and whether the feed for this version does.
            (request.phones, request.client) = (.versions([version]), client?.library)
            cells = try await session.client.matrix(request).cells
        }
        show(simulations, cells, console)
    }

    private func show(_ simulations: [Simulation], _ cells: [SimulationMatrix.Cell], _ console: Console) {
        switch console.format {
        case .json: console.json(Document.list(simulations.map(\.json)))
        case .plain:
            for one in simulations {
                console.data(
                    [
                        one.client.rawValue, one.shown.outcome.rawValue, one.shown.rule?.rawValue ?? "",
                        Style.safe(one.shown.message ?? ""),
                        one.shown.buttons.joined(separator: ","),
                    ].joined(separator: "\t")
                )
            }
        case .table, .wide:
            guard let first = simulations.first else { return }
            let draft = file == nil ? "" : " with \(Style.safe(file ?? ""))"
            let moment = at == nil ? "" : " at \(Words.time(first.at, inUTC: console.inUTC, zone: ZoneArgument.zone(zone)))"
            console.data("\(first.target) version \(Style.safe(first.version)), revision \(first.revision)\(draft)\(moment)")
            for one in simulations {
                console.data(
                    "\(console.out.tinted(Words.badge(one.shown.outcome), Words.tint(one.shown.outcome)))  \(one.client.title)\(one.release.map { " \($0.rawValue)" } ?? "")"
                )
                if let message = one.shown.message {
                    console.data(
                        "  Users see: “\(Style.safe(message))”"
                            + (one.shown.buttons.isEmpty ? "" : "  [\(one.shown.buttons.joined(separator: "] ["))]")
                    )
                }
                console.data("  \(Style.safe(one.shown.detail))")
                for hidden in one.hidden { console.data("  Not shown: \(hidden.rule.rawValue). \(Style.safe(hidden.detail))") }
                // Only where asking with the version helps is there something to do; otherwise what is not shown was said above.
                if let cell = cells.first(where: { $0.client == one.client }), cell.targeted.deviation == nil, let why = cell.why,
                    let cure = cell.cure
                {
                    console.data("  Not as meant: \(Style.safe(why))")
                    console.data("  \(Style.safe(cure))")
                }
            }
        }
    }
}
