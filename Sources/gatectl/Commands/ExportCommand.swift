import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ExportCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print everything that decides about feeds as one JSON document.",
        discussion: """
            Apps, aliases, settings and gates; not the history, not people and tokens, not windows that wait (gatectl schedule \
            list). apply makes such a document true again, here or on an empty server; render makes feeds of it without any \
            server. Keep one somewhere else, every night. Each export is noted in the audit. The same state gives the same bytes.

            EXAMPLES
              gatectl export > gates.json
              gatectl export shop > shop.json
              gatectl export | gatectl apply -f - --dry-run
            """
    )

    @Argument(help: "Only this app.", completion: .custom { _, _, _ async in await LiveNames.apps() }) var app: String?
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        guard let document = try await found({ try await session.client.export(app) }) else {
            throw try await TargetLookup(client: session.client).missing(app ?? "", nil)
        }
        if console.format == .table || console.format == .wide {
            console.bytes(Array((document.indented + "\n").utf8))
        } else {
            console.json(document)
        }
    }
}
