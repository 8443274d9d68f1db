import ArgumentParser
import GateAPI
import GateFeeds
import GateJSON
import GateModel

struct RenderCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Write every feed of an export file into a folder, without a server.",
        discussion: """
            For the night on which the server stays down: the bytes are those that it would serve, under the same paths, aliases too.
            Let any web server serve the folder with Content-Type application/json at the address that phones poll.

            EXAMPLES
              gatectl render -f gates.json --out ./site
              gatectl render -f gates.json --out ./site --json
            """
    )

    @Option(name: .short, help: "The file; - reads standard input.", completion: .file()) var file: String
    @Option(name: .long, help: "The folder to write into; it is made if it is not there.", completion: .directory) var out: String
    @Option(name: .long, parsing: .singleValue, help: "Override a refusal by its code, such as text_order. Repeatable.") var accept:
        [String] = []
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let file = try ExportFile(path: file, accept: accept)
        var documents = file.feeds.map { (path: $0.path, bytes: $0.bytes) } + file.ownFeeds.map { (path: $0.path, bytes: $0.bytes) }
        let feeds = documents
        for app in file.export.apps {
            for alias in app.aliases {
                let path = alias.feed.path(in: app.key, alias.platform)
                guard let feed = feeds.first(where: { $0.path == path }) else { continue }
                guard !documents.contains(where: { $0.path == alias.path }) else {
                    throw Failure(.refused, "invalid_alias", "two apps have an alias at \(Style.safe(alias.path))")
                }
                documents.append((alias.path, feed.bytes))
            }
        }
        // Everything was rendered before the first byte is written, so a faulty file leaves the folder as it was.
        for document in documents { try write(document.bytes, to: document.path) }
        if console.isJSON {
            return console.json(
                Document.list(
                    documents.map { ["path": .string($0.path), "bytes": .integer($0.bytes.count)] },
                    ["out": .string(out), "warnings": .array(file.warnings.map(\.json))]
                )
            )
        }
        file.warnings.map { PlanView.warning($0) }.forEach(console.note)
        for document in documents { console.data(out + document.path) }
    }

    /// In one step, because a web server may be serving the folder already.
    private func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let file = out + path
        do throws(FileSystem.Fault) {
            try FileSystem.makeFolder(FileSystem.folder(of: file))
            try FileSystem.replace(file, with: bytes, mode: 0o666)
        } catch {
            throw Failure(.other, "unwritable", "\(Style.safe(file)) cannot be written: \(error.words)")
        }
    }
}
