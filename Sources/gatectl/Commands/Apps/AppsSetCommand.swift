import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct AppsSetCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "set",
        abstract: "Change an app's name and aliases, or a platform's settings.",
        discussion: """
            An alias serves a feed at a path that shipped apps poll and that cannot be changed any more.

            EXAMPLES
              gatectl apps set shop --name "Shop & More"
              gatectl apps set shop --alias /config.json=launchgate
              gatectl apps set shop --alias /status=ios/bellerophon
              gatectl apps set shop --platform ios --add-release 4.3.0
              gatectl apps set shop --platform ios --store-url https://example.com/app
              gatectl apps set shop --platform android --retry 30s
              gatectl apps set shop --platform ios --clients launchgate,gatekit
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var key: String
    @Option(name: .long, help: "A new name.") var name: String?
    @Option(name: .long, help: "Add an alias, /PATH=FEED or /PATH=PLATFORM/FEED. Repeatable.") var alias: [String] = []
    @Option(name: .customLong("remove-alias"), help: "Remove the alias at this path. Repeatable.") var removeAlias: [String] = []
    @Option(name: .long, help: "The platform whose settings to change.") var platform: String?
    @Option(name: .customLong("version-scheme"), help: "dotted (4.2.0) or code (41).") var versionScheme: String?
    @Option(name: .customLong("store-url"), help: "Where users get the newest release; empty clears it.") var storeURL: String?
    @Option(name: .long, help: "All known releases, separated by commas or repeated; empty clears them.") var releases: [String] = []
    @Option(name: .customLong("add-release"), help: "Add a known release. Repeatable.") var addRelease: [String] = []
    @Option(name: .long, help: "How often blocked phones ask again when a kill does not say, 5s to 1h.") var retry: Span?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The client libraries in the app, separated by commas or repeated, or unknown; plans then cover only those.",
            discussion: ClientLibrary.allCases.map(\.rawValue).joined(separator: ", ")
        )
    ) var clients: [String] = []
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup var common: CommonOptions

    private var editsPlatform: Bool {
        versionScheme != nil || storeURL != nil || !releases.isEmpty || !addRelease.isEmpty || retry != nil || !clients.isEmpty
    }
    private var editsApp: Bool { name != nil || !alias.isEmpty || !removeAlias.isEmpty }

    func validate() throws {
        if editsPlatform, platform == nil { throw ValidationError("Settings belong to a platform: add --platform.") }
        if platform != nil, !editsPlatform { throw ValidationError("Say what to change of the platform, such as --add-release.") }
        if editsApp == editsPlatform {
            throw ValidationError("Change either the app (--name, --alias, --remove-alias) or one platform's settings.")
        }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let flow = try await WriteFlow.begin(session, write)
        if let platform { try await setPlatform(flow, platform) } else { try await setApp(flow) }
    }

    // MARK: App

    private func setApp(_ flow: WriteFlow) async throws {
        let client = flow.session.client
        let before = try await TargetLookup(client: client).app(key)
        var patch = AppPatch(name: name, terms: write.terms())
        if !alias.isEmpty || !removeAlias.isEmpty { patch.aliases = try aliases(before.aliases) }
        patch.seen = Self.seen(before.json, as: patch.json)
        let planned: Plan
        do { planned = try await client.planApp(key, patch).plan } catch { throw flow.explained(error, [], in: key) }
        flow.session.warn(of: flow.status.health)
        if write.dryRun { return report(flow, before: before, after: nil, patch: patch, planned) }
        flow.line(flow.session.contextLine(flow.status))
        Self.consequences(of: planned, flow.session.console.err).forEach(flow.line)
        let terms = try Confirmation(
            console: flow.session.console,
            options: write,
            place: flow.session.place(flow.status)
        )
        .terms(for: planned, targets: [], question: "Change \(key)", asksAlways: false)
        patch.terms = terms
        let after: AppBody
        do { after = try await client.editApp(key, patch) } catch { throw flow.explained(error, [], in: key) }
        report(flow, before: before, after: after, patch: patch, planned)
    }

    /// What an edit replaces, as it was read: somebody else may write between the look and the write, longest while a question is open.
    private static func seen(_ present: JSONValue, as edit: JSONValue) -> JSONObject {
        var seen = JSONObject()
        for name in edit.object?.names ?? [] { seen[name] = present.object?[name] }
        return seen
    }

    /// What follows when an alias is removed: whoever polls it is let in.
    private static func consequences(of plan: Plan, _ style: Style) -> [String] {
        EffectsView(plan.effects).lines(style) + plan.warnings.map { PlanView.warning($0) }
    }

    private func aliases(_ present: [Alias]) throws(Failure) -> [Alias] {
        var aliases = present
        for path in removeAlias {
            guard aliases.contains(where: { $0.path == path }) else {
                throw Failure(.notFound, "not_found", "\(key) has no alias at \(Style.safe(path))")
            }
            aliases.removeAll { $0.path == path }
        }
        for text in alias {
            let new = try AliasArgument.parse(text)
            aliases.removeAll { $0.path == new.path }
            aliases.append(new)
        }
        return aliases
    }

    private func report(_ flow: WriteFlow, before: AppBody, after: AppBody?, patch: AppPatch, _ planned: Plan) {
        let console = flow.session.console
        let name = after?.name ?? patch.name ?? before.name
        let aliases = after?.aliases ?? patch.aliases ?? before.aliases
        let changed = name != before.name || aliases != before.aliases
        if console.isJSON {
            var members: JSONObject = ["context": .string(flow.session.contextName(flow.status)), "changed": .bool(changed)]
            if after == nil { members["dryRun"] = .bool(true) }
            var app = before
            app.name = name
            app.aliases = aliases
            members["app"] = (after ?? app).json
            if after == nil {
                members["effects"] = .array(planned.effects.map(\.json))
                members["plan"] = planned.json
            }
            members["warnings"] = .array(planned.warnings.map(\.json))
            return console.json(Document.of(members))
        }
        if name != before.name { console.data("\(key): name \(Style.safe(before.name)) → \(Style.safe(name))") }
        for gone in before.aliases where !aliases.contains(gone) { console.data("\(key): - alias \(AliasArgument.text(gone))") }
        for new in aliases where !before.aliases.contains(new) { console.data("\(key): + alias \(AliasArgument.text(new))") }
        if !changed { console.data("\(key): no change") }
        guard after == nil else { return }
        console.data(Self.consequences(of: planned, console.out))
        console.data(
            changed ? Confirmation(console: console, options: write).drySentence(planned, targets: []) : "Dry run: nothing would change."
        )
    }

    // MARK: Platform

    private func setPlatform(_ flow: WriteFlow, _ platform: String) async throws {
        let client = flow.session.client
        let target = try await TargetLookup(client: client).target(key, platform)
        let settings = self.settings(target.target.settings)
        let seen = Self.seen(target.target.settings.json, as: settings)
        // A settings request that is written is answered with the target alone, so its warnings are the plan's that was looked at.
        var planned = Plan.nothing
        try await flow.perform([target], "Change the settings of") { terms in
            let request = SettingsRequest(settings: settings, seen: seen, terms: terms)
            if terms.dryRun {
                let answer = try await client.planPlatform(key, platform, request)
                planned = answer.plan
                return answer
            }
            let after = try await client.putPlatform(key, platform, request)
            // The target's last change is the one just made.
            return .committed(after.target.revision == target.target.revision ? nil : after.lastChange, plan: planned)
        }
    }

    private static func listed(_ texts: [String]) -> [String] { texts.flatMap { $0.split(separator: ",") }.map { $0.trimmed } }

    private func settings(_ present: PlatformSettings) -> JSONValue {
        var object = JSONObject()
        if let versionScheme { object["versionScheme"] = .string(versionScheme) }
        if let storeURL { object["storeURL"] = storeURL.isEmpty ? .null : .string(storeURL) }
        var all = releases.isEmpty ? present.releases : Self.listed(releases)
        for release in addRelease where !all.contains(release) { all.append(release) }
        if !releases.isEmpty || !addRelease.isEmpty { object["releases"] = .array(all.map(JSONValue.string)) }
        if let retry { object["defaultRetryInterval"] = .integer(retry.seconds) }
        if !clients.isEmpty {
            let names = Self.listed(clients).map { $0.lowercased() }
            object["clients"] = names == ["unknown"] || names == ["null"] ? .null : .array(names.map(JSONValue.string))
        }
        return .object(object)
    }
}
