import GateAPI
import GateAdminClient
import GateModel

/// Finds the targets that a command names, or says which one was meant.
struct TargetLookup {
    let client: AdminClient

    /// - Parameters:
    ///   - app: its key, or `all` where no app is called so.
    ///   - platforms: one key, several with commas, or `all`.
    /// - Returns: at least one target.
    func targets(_ app: String, _ platforms: String) async throws -> [TargetBody] {
        if app == "all", let every = try await everyTarget(platforms) { return every }
        let wanted = platforms.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if wanted.count == 1, platforms != "all" { return [try await target(app, platforms)] }
        let all = try await client.targets().filter { $0.target.key.app.text == app }
        if platforms == "all", !all.isEmpty { return all }
        var found: [TargetBody] = []
        for platform in wanted {
            guard let target = all.first(where: { $0.target.key.platform.text == platform }) else { throw try await missing(app, platform) }
            if !found.contains(target) { found.append(target) }
        }
        return found
    }

    /// Those of all apps; nil where an app is called `all`, or where there is none.
    private func everyTarget(_ platforms: String) async throws -> [TargetBody]? {
        let wanted = platforms.split(separator: ",").map(String.init)
        let all = try await client.targets()
        guard !all.contains(where: { $0.target.key.app.text == "all" }) else { return nil }
        let named = all.filter { platforms == "all" || wanted.contains($0.target.key.platform.text) }
        return named.isEmpty ? nil : named
    }

    /// Those that a window is about.
    func targets(of window: Window) async throws -> [TargetBody] {
        var targets: [TargetBody] = []
        for target in window.targets { targets.append(try await self.target(target.key.app.text, target.key.platform.text)) }
        return targets
    }

    func target(_ app: String, _ platform: String) async throws -> TargetBody {
        // A name that no URL path can carry is one that is not there.
        guard !app.isEmpty, !platform.isEmpty else { throw try await missing(app, platform) }
        guard let target = try await found({ try await client.target(app, platform) }) else { throw try await missing(app, platform) }
        return target
    }

    /// The failure that says what is there instead.
    func missing(_ app: String, _ platform: String?) async throws -> Failure {
        let apps = try await client.apps()
        guard let found = apps.first(where: { $0.key.text == app }) else {
            return Self.unknown("there is no app", app, among: apps.map(\.key.text), next: "gatectl apps list")
        }
        let platforms = found.platforms.keys.sorted().map(\.text)
        guard let platform, platform != "all" else {
            return Failure(
                .notFound,
                "not_found",
                "\(app) has no platform yet",
                next: [("next", "gatectl apps add \(app) --name \(Invocation.quoted(found.name)) --platforms ios,android")]
            )
        }
        return Self.unknown(
            "\(app) has no platform",
            platform,
            among: platforms,
            next: "it has: \(platforms.isEmpty ? "none" : platforms.joined(separator: ", "))"
        )
    }

    private static func unknown(_ what: String, _ name: String, among names: [String], next: String) -> Failure {
        let near = Suggestion.nearest(to: name, among: names).map { ". Did you mean \($0)?" } ?? ""
        return Failure(.notFound, "not_found", "\(what) \(Style.safe(name))\(near)", next: [("next", next)])
    }
}
