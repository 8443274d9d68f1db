public import GateJSON

extension App {
    /// Checks the aliases, each of which has a valid form, against each other and against what the app has. Whether another app has one of
    /// the paths only whoever knows that app can tell.
    /// - Throws: `invalid_alias` (422), with the place in the app's document.
    public func checkAliases() throws(ModelError) {
        guard aliases.count <= Alias.mostPerApp else {
            throw .invalid("invalid_alias", "An app has at most \(Alias.mostPerApp) aliases.", field: "/aliases")
        }
        var paths: Set<String> = []
        for (index, alias) in aliases.enumerated() {
            func refusal(_ member: String, _ why: String) -> ModelError {
                .invalid("invalid_alias", why, field: "/aliases/\(index)/\(member)")
            }
            guard paths.insert(alias.path).inserted else { throw refusal("path", "\(alias.path) is listed twice.") }
            if let platform = alias.platform, platforms[platform] == nil {
                throw refusal("platform", "\(key) has no platform \(platform); create it, or leave the alias out.")
            }
            if let fault = fault(of: alias) { throw refusal("feed", fault) }
        }
    }

    /// Why one of its aliases cannot serve the feed of an own shape that it names; nil when it can.
    private func fault(of alias: Alias) -> String? {
        guard case .own(let name) = alias.feed else { return nil }
        guard let feed = ownFeeds[name] else { return "\(key) has no feed \(alias.feed.fileName); make it first." }
        guard feed.platform != alias.platform else { return nil }
        return feed.platform.map { "\(alias.feed.fileName) is a feed of the platform \($0): name it in \"platform\"." }
            ?? "\(alias.feed.fileName) is a feed of the whole app: leave \"platform\" out."
    }
}
