import ArgumentParser
import GateAPI
import GateFeeds
import GateJSON
import GateModel
import ObjectStore

struct RenderCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "render",
        abstract: "Write every feed of an export file into a folder, without a server.",
        discussion: """
            For the night on which the server stays down: the bytes are those that it would serve, under the same paths, aliases too.
            Let any web server serve the folder with Content-Type application/json at the address that phones poll.

            With --publish they go into the object store that phones read, in place of the server: what is there and not in the file \
            stays, nothing newer is overwritten unless --accept stale_sequence says so, and the server overwrites them when it is back. \
            They are not signed, since only the server has the keys: apps that check signatures keep what they have.

            EXAMPLES
              gatectl render -f gates.json --out ./site
              gatectl render -f gates.json --out ./site --json
              gatectl render -f gates.json --publish s3://feeds/production \\
                --publish-endpoint https://s3.example.com
            """
    )

    @Option(name: .short, help: "The file; - reads standard input.", completion: .file()) var file: String
    @Option(name: .long, help: "The folder to write into; it is made if it is not there.", completion: .directory) var out: String?
    @Option(name: .long, help: ArgumentHelp("A bucket to publish into.", valueName: "s3://bucket/prefix")) var publish: String?
    @Option(name: .long, help: ArgumentHelp("The object store's address (default: Amazon's in AWS_REGION).", valueName: "url"))
    var publishEndpoint: String?
    @Option(name: .long, parsing: .singleValue, help: "Override a refusal by its code: stale_sequence. Repeatable.") var accept: [String] =
        []
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard out != nil || publish != nil else {
            throw ValidationError("Say where the feeds go: --out DIR, or --publish s3://bucket/prefix.")
        }
        guard publish != nil || publishEndpoint == nil else {
            throw ValidationError("--publish-endpoint says where the object store is; name the bucket with --publish s3://bucket/prefix.")
        }
    }

    func execute(_ console: Console) async throws {
        let file = try ExportFile(path: file, at: .now, accept: accept, isInForce: true)
        var warnings = file.warnings + file.staying + (out == nil ? [] : file.unnumbered)
        var documents = file.feeds.map { (path: $0.path, bytes: $0.bytes) } + file.ownFeeds.map { (path: $0.path, bytes: $0.bytes) }
        let feeds = documents
        for app in file.export.apps {
            for alias in app.aliases {
                let path = alias.feed.path(in: app.key, alias.platform)
                guard let feed = feeds.first(where: { $0.path == path }) else {
                    warnings.append(.unserved(alias.path, path, of: app.key))
                    continue
                }
                if out != nil { try refuseFolder(alias.path, serving: path) }
                documents.append((alias.path, feed.bytes))
            }
        }
        if out != nil { try refuseFoldersNamedAsFiles(documents.map(\.path)) }
        // Everything was rendered before the first byte is written, so a faulty file leaves the folder as it was.
        if let out { for document in documents { try write(document.bytes, to: document.path, in: out) } }
        var bucket: BucketAddress?
        if let publish {
            let publication = try ObjectPublication(publish, endpoint: publishEndpoint, goesOverNewer: accept.contains("stale_sequence"))
            try await publication.publish(documents, upTo: file.export.sequence)
            bucket = publication.address
        }
        if console.isJSON {
            return console.json(
                Document.list(
                    documents.map { ["path": .string($0.path), "bytes": .integer($0.bytes.count)] },
                    [
                        "out": out.map { .string($0) } ?? .null, "bucket": bucket.map { .string($0.description) } ?? .null,
                        "warnings": .array(warnings.map(\.json)),
                    ]
                )
            )
        }
        warnings.map { PlanView.warning($0) }.forEach(console.note)
        if let out { for document in documents { console.data(out + document.path) } }
        if let bucket { for document in documents { console.data(bucket.description + document.path) } }
    }

    private func refuseFolder(_ path: String, serving feed: String) throws(Failure) {
        guard path.hasSuffix("/") else { return }
        throw Failure(
            .refused,
            "invalid_alias",
            "a folder has no file named \(Style.safe(path)): leave this alias out of the file, and let the web server answer it with \(feed)"
        )
    }

    /// A server has feeds at `/config` and at `/config/ios.json`; in a folder, the first is a file where the second needs a folder.
    private func refuseFoldersNamedAsFiles(_ paths: [String]) throws(Failure) {
        let all = Set(paths)
        for path in paths {
            var folder = FileSystem.folder(of: path)
            while folder.count > 1 {
                guard !all.contains(folder) else {
                    throw Failure(
                        .refused,
                        "invalid_alias",
                        "a folder cannot have \(Style.safe(folder)) and \(Style.safe(path)): leave one of these aliases out of the file"
                    )
                }
                folder = FileSystem.folder(of: folder)
            }
        }
    }

    /// In one step, because a web server may be serving the folder already.
    private func write(_ bytes: [UInt8], to path: String, in out: String) throws(Failure) {
        let file = out + path
        do throws(FileSystem.Fault) {
            try FileSystem.makeFolder(FileSystem.folder(of: file))
            try FileSystem.replace(file, with: bytes, mode: 0o666)
        } catch {
            throw Failure(.other, "unwritable", "\(Style.safe(file)) cannot be written: \(error.words)")
        }
    }
}

extension Warning {
    /// An address that leads nowhere for the time being: an app without platforms has no feed, and one without a platform that Prince of
    /// Versions runs on has none for it.
    fileprivate static func unserved(_ alias: String, _ feed: String, of app: AppKey) -> Warning {
        Warning(
            code: "alias_without_feed",
            detail: "\(app): \(alias) is not written: it serves \(feed), which \(app) does not have, so the server answers 404 there, too."
        )
    }
}
