import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// Finds the targets that a command names, or says which one was meant.
struct TargetLookup {
    let client: AdminClient

    /// - Parameters:
    ///   - app: its key, or `all` unless an app is called that.
    ///   - platforms: one key, several with commas, or `all`.
    /// - Returns: at least one target.
    /// - Throws: not found, if any name does not exist: a command must not do half of what was asked for.
    func targets(_ app: String, _ platforms: String) async throws -> [TargetBody] {
        let selection = TargetSelection(app: app, platform: platforms)
        if app != "all", let platforms = selection.platforms, platforms.count == 1 { return [try await target(app, platforms[0])] }
        let all = try await client.targets()
        let isEvery = app == "all" && !all.isEmpty && !all.contains { $0.target.key.app.text == app }
        let own = isEvery ? all : all.filter { $0.target.key.app.text == app }
        guard let platforms = selection.platforms else {
            guard !own.isEmpty else { throw try await missing(app, nil) }
            return own
        }
        let named = platforms.map { platform in own.filter { $0.target.key.platform.text == platform } }
        if let vain = zip(platforms, named).first(where: { $1.isEmpty })?.0 {
            guard isEvery else { throw try await missing(app, vain) }
            throw Self.inNoApp(vain, among: own.map(\.target.key))
        }
        return named.flatMap(\.self)
    }

    /// What a filter asks for; `all` means every app unless one is called that. Other names are not looked up, because what is gone still
    /// has a history.
    func selection(_ filter: TargetFilter) async throws -> TargetSelection {
        var selection = TargetSelection(app: filter.app, platform: filter.platform)
        if filter.app == "all", try await found({ try await client.app("all") }) == nil { selection.app = nil }
        return selection
    }

    /// The targets that a window is about.
    func targets(of window: Window) async throws -> [TargetBody] {
        var targets: [TargetBody] = []
        for target in window.targets { targets.append(try await self.target(target.key.app.text, target.key.platform.text)) }
        return targets
    }

    func target(_ app: String, _ platform: String) async throws -> TargetBody {
        // No URL path can carry an empty name, so there is no such target.
        guard !app.isEmpty, !platform.isEmpty else { throw try await missing(app, platform) }
        guard let target = try await found({ try await client.target(app, platform) }) else { throw try await missing(app, platform) }
        return target
    }

    /// - Throws: not found, with what was probably meant.
    func app(_ key: String) async throws -> AppBody {
        guard let app = try await found({ try await client.app(key) }) else { throw try await missing(key, nil) }
        return app
    }

    /// The apps that somebody may touch. A mistyped one is refused: it may come to exist one day, and then nobody has looked at who has it.
    /// - Throws: input refused (8) for what no app can be called; not found, if any app does not exist for the caller.
    func scope(of apps: [String]) async throws -> AppScope {
        let keys = try apps.map { app throws(Failure) in try AppKey.named(app) }
        let all = try await client.apps()
        for key in keys where !all.contains(where: { $0.key == key }) { throw Self.missing(key.text, among: all) }
        return .only(Set(keys))
    }

    /// The failure that says what is there instead.
    func missing(_ app: String, _ platform: String?) async throws -> Failure {
        let apps = try await client.apps()
        if let found = apps.first(where: { $0.key.text == app }) { return Self.missing(platform, of: found) }
        // Somebody who is allowed some apps must not believe that an app which is live does not exist. Losing the error is safe: then it is
        // said in general.
        if case .only(let own)? = try? await client.session().user.scope, let key = AppKey(app), !own.contains(key) {
            let list = own.isEmpty ? "none" : own.sorted().map(\.text).joined(separator: ", ")
            let words = "there is no app \(Style.safe(app)) among those that this sign-in is for: \(list)"
            return Failure(.notFound, "not_found", words, next: [("next", Invocation.sameServer("auth status"))])
        }
        return Self.missing(app, among: apps)
    }
}

extension TargetLookup {
    static func missing(_ app: String, among apps: [AppBody]) -> Failure {
        unknown("there is no app", app, among: apps.map(\.key.text), next: Invocation.sameServer("apps list"))
    }

    /// - Parameter platform: as it was typed; nil for all.
    static func missing(_ platform: String?, of app: AppBody) -> Failure {
        let platforms = app.platforms.keys.sorted().map(\.text)
        let there = platforms.joined(separator: ", ")
        guard !platforms.isEmpty else {
            return Failure(
                .notFound,
                "not_found",
                "\(app.key) has no platform yet",
                next: [("next", Invocation.sameServer("apps add \(app.key) --name \(app.name.asShellWord) --platforms ios,android"))]
            )
        }
        // A command that takes one platform takes neither several nor `all`.
        guard let name = TargetSelection(app: nil, platform: platform).platforms, name.count == 1 else {
            return Failure(.notFound, "not_found", "\(Style.safe(platform ?? "all")) is no platform here; name one: \(there)")
        }
        return unknown("\(app.key) has no platform", name[0], among: platforms, next: "it has: \(there)")
    }

    /// - Parameter targets: of every app.
    static func inNoApp(_ platform: String, among targets: [TargetKey]) -> Failure {
        let platforms = Set(targets.map(\.platform)).sorted().map(\.text)
        return unknown("no app has a platform", platform, among: platforms, next: "there are: \(platforms.joined(separator: ", "))")
    }

    private static func unknown(_ what: String, _ name: String, among names: [String], next: String) -> Failure {
        let near = Suggestion.question(about: name, among: names)
        return Failure(.notFound, "not_found", "\(what) \(Style.safe(name))\(near)", next: [("next", next)])
    }
}
