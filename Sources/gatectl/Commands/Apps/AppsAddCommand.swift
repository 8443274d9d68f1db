import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct AppsAddCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "add",
        abstract: "Add an app with its platforms.",
        discussion: """
            Safe to repeat: an app that is there under the same name only gets the platforms it lacks. Under another name it is \
            refused (exit 8); gatectl apps set renames it.

            EXAMPLES
              gatectl apps add shop ios android
              gatectl apps add shop --name "The Shop" --platforms ios,android,macos
            """
    )

    @Argument(help: "The app's key: lower-case letters, digits and hyphens.") var key: String
    @Argument(help: "Its platforms, such as ios android.") var named: [String] = []
    @Option(name: .long, help: "The name that people read. Default: the key, as a word.") var name: String?
    @Option(name: [.long, .customLong("platform")], help: "Its platforms too, separated by commas or repeated.") var platforms: [String] =
        []
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        Interrupt.now(.beforeWrite)
        let wanted = try wantedPlatforms()
        let status = try await session.client.status()
        let present = try await presentApp(session)
        let missing = wanted.filter { platform in present?.platforms.keys.contains { $0.text == platform } != true }
        try checkNew(present == nil, missing)
        session.warn(of: status.health)
        if write.dryRun { return report(session, status, app: present, isNew: present == nil, added: missing) }
        console.note(session.contextLine(status))
        var app: AppBody?
        if present == nil { app = try await create(session) }
        for platform in missing { _ = try await session.client.putPlatform(key, platform, SettingsRequest(terms: write.terms())) }
        if !missing.isEmpty || app == nil { app = try await session.client.app(key) }
        report(session, status, app: app, isNew: present == nil, added: missing)
    }

    /// The given name, such as `The Shop`, or one made from the key: `Shop`, `Music player`.
    private var readName: String { name ?? key.prefix(1).uppercased() + key.dropFirst().map { $0 == "-" ? " " : $0 } }

    /// Checked here already, so that a mistyped second platform does not leave an app with only the first.
    private func wantedPlatforms() throws(Failure) -> [String] {
        var wanted: [String] = []
        for text in (named + platforms).flatMap({ $0.split(separator: ",") }).map(String.init)
        where !wanted.contains(text) {
            do { _ = try PlatformKey(validating: text) } catch {
                var failure = Failure(.refused, error.code, error.detail)
                // A word with a capital is probably meant as the app's name.
                if name == nil, text.first?.isUppercase == true {
                    failure.next = [("next", "what people call the app: --name \(text.asShellWord)")]
                }
                throw failure
            }
            wanted.append(text)
        }
        return wanted
    }

    /// Checks for keys that exist but that nothing new gets, for the same reason.
    private func checkNew(_ isNew: Bool, _ platforms: [String]) throws(Failure) {
        do {
            if isNew { try AppKey(key)?.checkNew() }
            for platform in platforms { try PlatformKey(platform)?.checkNew() }
        } catch { throw Failure(.refused, error.code, error.detail) }
    }

    private func presentApp(_ session: Session) async throws -> AppBody? {
        _ = try AppKey.named(key)
        guard let app = try await found({ try await session.client.app(key) }) else { return nil }
        if let name, app.name != name {
            throw Failure(
                .refused,
                "app_exists",
                "\(key) is there already, under the name \(Style.safe(app.name))",
                next: [("next", Invocation.sameServer("apps set \(key) --name \(name.asShellWord)") + ", or choose another key")]
            )
        }
        return app
    }

    private func create(_ session: Session) async throws -> AppBody {
        do {
            return try await session.client.createApp(AppRequest(key: key, name: readName, terms: write.terms()))
        } catch let error {
            // Somebody added it just now; if the name is the same, it is what was wanted.
            guard error.status == 409, let app = try await presentApp(session) else { throw error }
            return app
        }
    }

    private func report(_ session: Session, _ status: StatusBody, app: AppBody?, isNew: Bool, added: [String]) {
        let console = session.console
        let changed = isNew || !added.isEmpty
        if console.isJSON {
            var members: JSONObject = ["context": .string(session.contextName(status)), "changed": .bool(changed)]
            if write.dryRun { members["dryRun"] = .bool(true) }
            members["app"] = app?.json ?? ["key": .string(key), "name": .string(readName)]
            members["added"] = .array(added.map { .string("\(key)/\($0)") })
            return console.json(Document.of(members))
        }
        let what = (isNew ? ["app \(key)"] : []) + added.map { "\(key)/\($0)" }
        guard changed else { return console.data("\(key): no change") }
        console.data(
            write.dryRun
                ? "Dry run: nothing was written. Would add \(what.joined(separator: ", "))" : "Added \(what.joined(separator: ", "))"
        )
        if !write.dryRun, !added.isEmpty {
            console.note(
                "  Feed:   \(session.settings.server.feeds(onPort: status.feedsPort))\(FeedName.launchgate.path(for: TargetKey("\(key)/\(added[0])")!))"
            )
        }
    }
}
