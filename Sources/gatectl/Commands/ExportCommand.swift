import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ExportCommand: GatectlCommand {
    static let hasFormats = false
    static let configuration = CommandConfiguration(
        leaf: "export",
        abstract: "Print everything that decides what the feeds say, as one JSON document.",
        discussion: """
            Apps, aliases, settings and gates, and the windows that wait or run; not the history, not people and tokens. gatectl \
            apply restores such a document, here or on an empty server, except for windows: it names those that are missing. gatectl \
            render makes feeds from it without any server. Keep one somewhere else, every night. Each export is noted in the audit. \
            The same state gives the same bytes, however often it was changed back and forth: good for git. With --with-revisions, \
            apply also refuses what has changed since, and render gives the native feed its numbers.

            EXAMPLES
              gatectl export -o gates.json
              gatectl export --with-revisions > gates.json
              gatectl export shop > shop.json
              gatectl export | gatectl apply -f - --dry-run
            """
    )

    @Argument(help: "Only this app.", completion: LiveNames.apps) var app: String?
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
                "With the windows that wait or run, the file would be too long for apply, so they are left out; schedule list shows them."
            )
        }
        let text = Array((document.indented + "\n").utf8)
        if let file = common.output.file {
            do { try FileSystem.replace(file, with: text, mode: 0o600) } catch {
                throw Failure(.other, "not_written", "\(Style.safe(file)) could not be written: \(error.words)")
            }
            console.note("Wrote \(Style.safe(file))")
        } else if console.format == .table || console.format == .wide {
            console.document(text)
        } else {
            console.json(document)
        }
    }
}
