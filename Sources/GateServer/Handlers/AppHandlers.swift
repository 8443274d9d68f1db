import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func listApps(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let page = try exchange.page(ledger.apps(for: caller), key: \.key, place: AppKey.init(_:))
        return .page(page.items, hasMore: page.hasMore, cursor: { KeyCursor.text($0.key.description) }, bytes: { AppBody($0).json.bytes })
    }

    func app(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let key = try exchange.app(exchange.parameters["app"])
        return .json(AppBody(try ledger.app(key, for: exchange.requireCaller())).json)
    }

    func createApp(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(AppRequest.self)
        let key: AppKey
        do { key = try AppKey(validating: body.key) } catch { throw ServiceError(error, at: "/key") }
        return try submit(.createApp(key, name: body.name), terms: body.terms, exchange: exchange) { outcome in
            outcome.isDryRun ? .json(Self.result(outcome).json) : .json(outcome.app.map { AppBody($0).json } ?? .null, status: 201)
        }
    }

    func editApp(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let key = try exchange.app(exchange.parameters["app"])
        let body = try exchange.body(
            AppPatch.self,
            about: { () throws(ServiceError) in try ledger.app(key, for: exchange.requireCaller()) }
        )
        let command = Command.editApp(key, name: body.name, aliases: body.aliases, seen: body.seen)
        return try submit(command, terms: body.terms, exchange: exchange) { outcome in
            outcome.isDryRun ? .json(Self.result(outcome).json) : .json(outcome.app.map { AppBody($0).json } ?? .null)
        }
    }

    func putPlatform(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let app = try exchange.app(exchange.parameters["app"])
        let body = try exchange.body(SettingsRequest.self, emptyAllowed: true)
        let platform: PlatformKey
        do { platform = try PlatformKey(validating: exchange.parameters["platform"]) } catch {
            _ = try ledger.app(app, for: exchange.requireCaller())
            throw ServiceError(error.code == "malformed" ? .malformed : .invalid, error.code, error.detail)
        }
        let key = TargetKey(app: app, platform: platform)
        let caller = try exchange.requireCaller()
        return try submit(.putPlatform(key, settings: body.settings, seen: body.seen), terms: body.terms, exchange: exchange) { outcome in
            if outcome.isDryRun { return .json(Self.result(outcome).json) }
            guard let target = outcome.app?.platforms[platform] else { return .json(.null) }
            let lastChange = outcome.change ?? ledger.lastChange(of: target, for: caller)
            return .json(TargetBody(target, lastChange: lastChange).json, status: outcome.change?.kind == .create ? 201 : 200)
        }
    }

    func deleteApp(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        try delete(.deleteApp(try exchange.app(exchange.parameters["app"])), exchange)
    }

    func deletePlatform(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        try delete(.deletePlatform(try exchange.target(exchange.parameters["app"], exchange.parameters["platform"])), exchange)
    }

    private func delete(_ command: Command, _ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let body = try exchange.body(DeleteRequest.self, emptyAllowed: true)
        return try submit(command, terms: body.terms, exchange: exchange) { outcome in
            guard let change = outcome.change else { return .json(Self.result(outcome).json) }
            return .json(ChangeResultBody.deleted(change, plan: outcome.plan).json)
        }
    }

    func listTargets(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let caller = try exchange.requireCaller()
        let targets = ledger.apps(for: caller).flatMap { app in app.platformKeys.compactMap { app.platforms[$0] } }
        let page = try exchange.page(targets, key: \.key, place: TargetKey.init(_:))
        return .page(
            page.items,
            hasMore: page.hasMore,
            cursor: { KeyCursor.text($0.key.description) },
            bytes: { TargetBody($0, lastChange: ledger.lastChange(of: $0, for: caller)).json.bytes }
        )
    }

    func target(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let key = try exchange.target(exchange.parameters["app"], exchange.parameters["platform"])
        let caller = try exchange.requireCaller()
        let target = try ledger.target(key, for: caller)
        return .json(
            TargetBody(target, lastChange: ledger.lastChange(of: target, for: caller), reach: reach?.reach(of: key, at: ledger.time)).json
        )
    }

    func versions(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let key = try exchange.target(exchange.parameters["app"], exchange.parameters["platform"])
        _ = try ledger.target(key, for: try exchange.requireCaller())
        let word = exchange.request.parameter("within") ?? PolledVersions.Span.hour.rawValue
        guard let span = PolledVersions.Span(rawValue: word) else {
            throw ServiceError(.malformed, "malformed", "within is hour or day.", field: "within")
        }
        let now = ledger.time
        let polled = reach?.polledVersions(of: key, within: span, at: now) ?? PolledVersions(versions: [], others: 0)
        func item(_ version: String, _ polls: Int) -> VersionsBody.Item {
            VersionsBody.Item(version: version, polls: polls, share: Double(polls) / Double(max(1, polled.polls)))
        }
        let others = polled.others == 0 ? [] : [item(VersionsBody.others, polled.others)]
        return .json(
            VersionsBody(
                items: polled.versions.map { item($0.text, $0.polls) } + others,
                polls: polled.polls,
                since: now.advanced(bySeconds: -span.seconds)
            ).json
        )
    }
}
