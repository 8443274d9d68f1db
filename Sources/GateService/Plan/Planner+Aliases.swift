import GateModel

/// What apps may have as aliases, whichever command gives them some.
extension Planner {
    /// Checks the aliases of apps, each of which has a valid form, as they will be together: one may move from one of the apps to another.
    /// - Parameters:
    ///   - apps: each with the JSON Pointer of what has its member `aliases`.
    ///   - leaving: apps whose present aliases do not count, because they have others afterwards or are deleted.
    func checkAliases(of apps: [(app: App, pointer: String)], leaving: Set<AppKey>) throws(ServiceError) {
        var taken: [String: AppKey] = [:]
        for (app, pointer) in apps {
            let field = pointer + "/aliases"
            guard app.aliases.count <= Alias.mostPerApp else {
                throw .invalidAlias("An app has at most \(Alias.mostPerApp) aliases.", field: field)
            }
            for (index, alias) in app.aliases.enumerated() {
                let place = "\(field)/\(index)"
                let present = catalog.aliasOwners[alias.path].flatMap { leaving.contains($0) ? nil : $0 }
                if let owner = taken[alias.path] ?? present {
                    guard owner == app.key else { throw self.taken(alias, by: owner, at: place + "/path") }
                    throw .invalidAlias("\(alias.path) is listed twice.", field: place + "/path")
                }
                taken[alias.path] = app.key
                if let platform = alias.platform, app.platforms[platform] == nil {
                    throw .invalidAlias(
                        "\(app.key) has no platform \(platform); create it, or leave the alias out.",
                        field: place + "/platform"
                    )
                }
                if let fault = app.fault(of: alias) { throw .invalidAlias(fault, field: place + "/feed") }
            }
        }
    }

    private func taken(_ alias: Alias, by owner: AppKey, at pointer: String) -> ServiceError {
        let whose = sees(owner) ? "the app \(owner)" : "another app"
        return ServiceError(.exists, "alias_taken", "\(alias.path) serves a feed of \(whose) already.", field: pointer)
    }
}

extension ServiceError {
    fileprivate static func invalidAlias(_ detail: String, field: String) -> ServiceError {
        ServiceError(.invalid, "invalid_alias", detail, field: field)
    }
}

extension App {
    /// Why one of its aliases cannot serve the feed it names; nil when it can.
    fileprivate func fault(of alias: Alias) -> String? {
        guard case .own(let name) = alias.feed else { return nil }
        guard let feed = ownFeeds[name] else { return "\(key) has no feed \(alias.feed.fileName); make it first." }
        guard feed.platform != alias.platform else { return nil }
        return feed.platform.map { "\(alias.feed.fileName) is a feed of the platform \($0): name it in \"platform\"." }
            ?? "\(alias.feed.fileName) is a feed of the whole app: leave \"platform\" out."
    }
}
