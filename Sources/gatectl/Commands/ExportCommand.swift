import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ExportCommand: GatectlCommand {
    static let hasFormats = false
    static let configuration = CommandConfiguration(
        leaf: "export",
        abstract: "Print everything that decides about feeds as one JSON document.",
        discussion: """
            Apps, aliases, settings and gates, and the windows that wait or run; not the history, not people and tokens. apply makes \
            such a document true again, here or on an empty server, but for windows, of which it tells those that are missing; render \
            makes feeds of it without any server. Keep one somewhere else, every night. Each export is noted in the audit. The same state gives the same bytes, \
            however often it was changed to and fro: good for git. With --with-revisions apply also refuses what has moved on since, \
            and render gives the native feed its numbers.

            EXAMPLES
              gatectl export -o gates.json
              gatectl export --with-revisions > gates.json
              gatectl export shop > shop.json
              gatectl export | gatectl apply -f - --dry-run
            """
    )

    @Argument(help: "Only this app.", completion: .custom { _, _, _ async in await LiveNames.apps() }) var app: String?
    @Flag(name: .long, help: "Also revisions, sequences and times.") var withRevisions = false
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        guard let whole = try await found({ try await session.client.export(app) }) else {
            throw try await TargetLookup(client: session.client).missing(app ?? "", nil)
        }
        let windows = try await session.client.windows(app: app, states: [.pending, .running])
        let state = withRevisions ? whole : ExportFile.withoutRevisions(whole)
        var document = ExportFile.adding(windows, to: state)
        if !windows.isEmpty, !ExportFile.isTaken(document) {
            document = state
            console.note(
                "With the windows that wait or run the file would be more than apply takes, so they are left out; schedule list tells them."
            )
        }
        let text = Array((document.indented + "\n").utf8)
        if let file = common.output.file {
            do { try FileSystem.replace(file, with: text, mode: 0o600) } catch {
                throw Failure(.other, "not_written", "\(Style.safe(file)) could not be written: \(error.words)")
            }
            console.note("Wrote \(Style.safe(file))")
        } else if console.format == .table || console.format == .wide {
            console.bytes(text)
        } else {
            console.json(document)
        }
    }
}
