import GateAPI
import GateAdminClient
import GateJSON
import GateModel

extension Gatectl {
    /// Gates of every kind on two apps and five targets: both version schemes, languages, releases, aliases, an end by itself.
    func furnish() async throws {
        let commands = [
            ["apps", "add", "bank", "--name", "Bank & Co. „Nord“", "--platforms", "ios,android,macos"],
            ["apps", "set", "shop", "--alias", "/config.json=launchgate", "--alias", "/status=ios/bellerophon"],
            [
                "apps", "set", "shop", "--platform", "ios", "--store-url", "https://example.com/app", "--releases", "1.9.0,1.10.0",
                "--retry", "60s",
            ],
            ["apps", "set", "bank", "--platform", "android", "--releases", "40,41"],
            ["require", "shop", "ios", "1.10.0", "-m", "Update.", "--accept", "text_order", "-y"],
            ["kill", "shop", "android", "-m", "Zurück um 9:30 – „bald“.", "--for", "2h", "--retry", "30s", "-y"],
            ["force", "bank", "ios", "--on", "--store-checked", "-m", "Update now.", "-y"],
            ["alert", "bank", "ios", "-m", "Closed.", "--blocking", "-y"],
            ["require", "bank", "android", "41", "-m", "Update.", "-y"],
            ["alert", "bank", "macos", "-m", "Slow <today> & tomorrow."],
            ["suggest", "bank", "macos", "2.0", "-m", "2.0 is out."],
        ]
        for command in commands {
            let outcome = try await self(command)
            guard outcome.status == 0 else { throw HarnessError("\(command): \(outcome)") }
        }
        // What no command writes: blocked versions and languages.
        let edit =
            #"{"requiredUpdate":{"minimumVersion":"1.10.0","blockedVersions":["1.10.1"],"message":{"default":"Update.","de":"Bitte aktualisieren."}}}"#
        let revision = try await self.revision("shop/ios") ?? 0
        let target = TargetRef(app: "shop", platform: "ios", revision: revision)
        _ = try await server.client().commit(
            ChangeRequest(
                targets: [target],
                content: .set(try GateEdit(json: JSONReader.read(edit))),
                terms: WriteTerms(confirm: "shop/ios", accept: ["text_order"])
            )
        )
    }

    /// Every feed that a server has, by path, aliases too; those of the targets that its export names.
    func feeds() async throws -> [String: [UInt8]] {
        var feeds: [String: [UInt8]] = [:]
        for app in try await server.client().apps() {
            for platform in app.platforms.keys {
                for feed in FeedName.allCases {
                    let path = feed.path(for: TargetKey(app: app.key, platform: platform))
                    feeds[path] = try await server.feed(path).body
                }
            }
            for alias in app.aliases { feeds[alias.path] = try await server.feed(alias.path).body }
        }
        return feeds
    }
}
