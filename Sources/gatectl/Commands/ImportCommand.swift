import ArgumentParser
import GateAPI
import GateAdminClient
import GateFeeds
import GateModel

struct ImportCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "import",
        abstract: "Take over the file that an app polls today.",
        discussion: """
            Recognises LaunchGate and Gandalf, Bellerophon, and Prince of Versions files. What cannot be published safely is refused \
            with path, value and reason; --skip-invalid takes the rest. Platforms that the file lacks stay as they are.

            A file of the app's own shape becomes a feed of that shape. --map says what a value means: kill, force, required, optional or \
            alert for a switch (! before it where true means off), kill.message, kill.messages.de, required.minimumVersion, \
            optional.optionalVersion, alert.blocking, retryInterval, storeURL; in a file for several platforms with the platform before it.
            Without --map, meanings are proposed where names suggest them. What phones will get is compared with the file before \
            anything is written.

            EXAMPLES
              gatectl import shop -f config.json --dry-run
              gatectl import shop -f status.json --platform ios --dry-run
              gatectl import shop -f status.json --platform ios \\
                --map '$.maintenance=kill' --map '$.text=kill.message'
              gatectl import shop -f config.json -y -r takeover
              curl -s https://example.com/status.json | gatectl import shop -f - -y
            """
    )

    @Argument(help: "The app that takes the rules over.", completion: LiveNames.apps) var app: String
    @Option(name: .short, help: "The file; - reads standard input.", completion: .file()) var file: String
    @Option(name: .long, help: "auto, launchgate, bellerophon, prince-of-versions or own.") var format = WordArgument(ImportFormat.auto)
    @Option(name: .long, help: "The platform of a file that names none; a Bellerophon file means ios.") var platform: String?
    @Option(name: .long, help: ArgumentHelp("What a value in a file of the app's own shape means. Repeatable.", valueName: "path=value"))
    var map: [String] = []
    @Option(name: .long, help: "The name of the feed that a file of the app's own shape becomes. Default: the file's.") var name: String?
    @Flag(name: .customLong("skip-invalid"), help: "Leave out what is refused and take the rest.") var skipInvalid = false
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let text = try InputFile.text(file)
        let session = try Session.open(common.connection, console)
        let flow = try await WriteFlow.begin(session, write, revision)
        let targets = try await TargetLookup(client: session.client).targets(app, "all")
        var revisions: [String: Int] = [:]
        for target in targets { revisions[target.target.key.platform.text] = target.target.revision }
        if let revision = self.revision.ifRevision {
            guard let one = platform ?? (targets.count == 1 ? targets[0].target.key.platform.text : nil) else {
                throw Failure.usage("--if-revision needs --platform here: each platform has revisions of its own")
            }
            revisions[one] = revision
        }
        let request = ImportRequest(
            app: app,
            format: format.word,
            document: text,
            platform: platform,
            map: map.isEmpty ? nil : map,
            name: name ?? fileName,
            skipInvalid: skipInvalid,
            revisions: revisions
        )
        if let known = recognised(text, targets) { console.note("Read as \(known)") }
        // The question names what the plan touches; the targets that the file leaves alone are not of interest.
        var proposed: [String]?
        try await flow.perform(targets, "Import into", asksAlways: true, showsUntouched: false) { terms in
            var request = request
            request.terms = terms
            // A proposal is accepted only by somebody who saw it and was asked; whoever says yes beforehand has not seen it.
            if !terms.dryRun, !write.yes, write.confirm == nil, request.map == nil { request.map = proposed }
            let answer = try await session.client.importFile(request)
            proposed = answer.takeover?.meanings
            return answer
        }
    }

    /// The file's name without extensions, if a feed can have that name: `status` for `status.json`.
    private var fileName: String? {
        guard file != "-" else { return nil }
        let last = file.split(separator: "/").last ?? ""
        return OwnFeedName(String(last.split(separator: ".").first ?? "").lowercased())?.text
    }
}

extension ImportCommand {
    /// What the file is recognised as, in words, even if it changes nothing; nil where the server will say what it makes of it.
    private func recognised(_ text: String, _ targets: [TargetBody]) -> String? {
        // `all` stands for apps and is not itself one.
        guard let key = AppKey(app), targets.allSatisfy({ $0.target.key.app == key }) else { return nil }
        var app = App(key: key, name: key.text)
        for target in targets { app.platforms[target.target.key.platform] = target.target }
        let owner = platform.flatMap { PlatformKey($0) }
        guard map.isEmpty, !ImportReader.isOwnShape(text, format: format.word, platform: owner, app: app) else { return nil }
        let proposal: ImportProposal
        do throws(ImportError) {
            proposal = try ImportReader.read(text, format: format.word, app: app, platform: owner)
        } catch { return nil }
        let libraries = proposal.readers.values.reduce(into: Set<ClientLibrary>()) { $0.formUnion($1) }
        let platforms = proposal.readers.keys.sorted().map(\.text)
        guard !libraries.isEmpty else { return nil }
        let names = ClientLibrary.allCases.filter(libraries.contains).map(\.title)
        return "a file of \(names.joined(separator: ", ")), for \(platforms.joined(separator: ", "))"
    }
}
