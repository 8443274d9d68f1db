package import GateJSON

/// What the server refuses of an app, for whoever checks a document without one too.
///
/// What an app had already when a limit came it may keep: so each check is told of the app as it is, or nil for a new one.
extension App {
    /// - Throws: `too_many_platforms` (422), with the place in the app's document.
    package func checkPlatforms(beside present: App?) throws(ModelError) {
        guard platforms.count > max(Self.mostPlatforms, present?.platforms.count ?? 0) else { return }
        throw .tooManyPlatforms(of: key, field: "/platforms")
    }

    /// Checks that its feeds of own shapes are neither too many nor too long.
    /// - Throws: `too_many_own_feeds` (422), with the place in the app's document.
    package func checkOwnFeeds(beside present: App?) throws(ModelError) {
        func bytes(_ app: App?) -> Int { app?.ownFeeds.values.reduce(0) { $0 + $1.template.utf8.count } ?? 0 }
        guard
            ownFeeds.count > max(OwnFeed.mostPerApp, present?.ownFeeds.count ?? 0)
                || bytes(self) > max(OwnFeed.mostBytesPerApp, bytes(present))
        else { return }
        throw .invalid(
            "too_many_own_feeds",
            "An app has at most \(OwnFeed.mostPerApp) feeds of own shapes, and \(OwnFeed.mostBytesPerApp) bytes of templates; remove one of \(key) first.",
            field: "/ownFeeds"
        )
    }
}

extension ModelError {
    package static func tooManyPlatforms(of app: AppKey, field: String = "") -> ModelError {
        .invalid(
            "too_many_platforms",
            "An app has at most \(App.mostPlatforms) platforms; delete one of \(app) first, or make another app.",
            field: field
        )
    }
}
