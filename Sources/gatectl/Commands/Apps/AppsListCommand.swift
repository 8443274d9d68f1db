import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct AppsListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "The apps, their platforms and aliases.",
        discussion: """
            EXAMPLE
              gatectl apps list --json
            """
    )

    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let apps = try await session.client.apps()
        switch console.format {
        case .json: console.json(Document.list(apps.map(\.json)))
        case .plain:
            for app in apps {
                console.data([app.key.text, Style.safe(app.name), Self.platforms(app), Self.aliases(app)].joined(separator: "\t"))
            }
        case .table, .wide:
            guard !apps.isEmpty else {
                return console.data("No apps yet. Add one: gatectl apps add shop --name Shop --platforms ios,android")
            }
            var table = Table(["APP", "NAME", "PLATFORMS", "ALIASES"], flexible: [1])
            table.rows = apps.map { app in
                [
                    .init(app.key.text), .init(Style.safe(app.name)), .init(Self.platforms(app)),
                    .init(app.aliases.isEmpty ? "–" : Self.aliases(app)),
                ]
            }
            table.lines(style: console.out, width: console.format == .wide ? nil : console.width).forEach(console.data)
        }
    }

    static func platforms(_ app: AppBody) -> String { app.platforms.keys.sorted().map(\.text).joined(separator: ",") }

    static func aliases(_ app: AppBody) -> String { app.aliases.map(AliasArgument.text).joined(separator: ",") }
}

/// An alias as it is typed: `/config.json=launchgate`, `/status=ios/bellerophon`.
enum AliasArgument {
    static func text(_ alias: Alias) -> String {
        alias.path + "=" + (alias.platform.map { "\($0)/" } ?? "") + alias.feed.rawValue
    }

    static func parse(_ text: String) throws(Failure) -> Alias {
        let form = "an alias is typed /PATH=FEED, such as /config.json=launchgate or /status=ios/bellerophon"
        guard let equals = text.lastIndex(of: "=") else { throw .usage(form) }
        let parts = text[text.index(after: equals)...].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), let last = parts.last else { throw .usage(form) }
        var object: JSONObject = [
            "path": .string(String(text[..<equals])), "feed": .string(last.hasSuffix(".json") ? last : last + ".json"),
        ]
        if parts.count == 2 { object["platform"] = .string(parts[0]) }
        do { return try Alias(json: .object(object)) } catch { throw Failure(.refused, error.code, "\(Style.safe(text)): \(error.detail)") }
    }
}
