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
            do { try app.checkAliases() } catch { throw ServiceError(error, at: pointer) }
            for (index, alias) in app.aliases.enumerated() {
                let present = catalog.aliasOwners[alias.path].flatMap { leaving.contains($0) ? nil : $0 }
                if let owner = taken[alias.path] ?? present {
                    throw self.taken(alias, by: owner, at: "\(pointer)/aliases/\(index)/path")
                }
                taken[alias.path] = app.key
            }
        }
    }

    private func taken(_ alias: Alias, by owner: AppKey, at pointer: String) -> ServiceError {
        let whose = sees(owner) ? "the app \(owner)" : "another app"
        return ServiceError(.exists, "alias_taken", "\(alias.path) serves a feed of \(whose) already.", field: pointer)
    }
}
