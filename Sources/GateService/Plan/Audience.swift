import GateFeeds
import GateModel

/// Which client libraries a plan covers: those that a platform's apps use; if nobody said which, those whose documents were polled within
/// the last day; and if that tells nothing either, all that read its feeds.
struct Audience {
    private let catalog: Catalog
    private let polls: (any PollRecord)?
    /// Libraries that the plan leaves out, with the targets on which they did not poll.
    private var silent: [[ClientLibrary]: [TargetKey]] = [:]
    /// Libraries whose documents are polled and that no platform of the app names.
    private var unlisted: [[ClientLibrary]: [TargetKey]] = [:]
    /// By app, the targets whose combined document is polled: a change of all of an app's platforms asks once for each.
    private var combined: [AppKey: Set<TargetKey>] = [:]

    init(catalog: Catalog, polls: (any PollRecord)?) {
        self.catalog = catalog
        self.polls = polls
    }

    /// - Parameter settings: the target's own, as they will be.
    /// - Returns: the libraries to cover; nil for those that the settings name, or all.
    mutating func heard(on target: TargetKey, _ settings: PlatformSettings) -> [ClientLibrary]? {
        guard let polled = polls?.polledFeeds(of: target), !polled.isEmpty else { return nil }
        let reading = ClientLibrary.reading(target.platform, scheme: settings.versionScheme)
        guard let clients = settings.clients else {
            let isPolledElsewhere = isCombinedPolled(besides: target)
            let heard = reading.filter { $0.reads(polled) || isPolledElsewhere && !$0.feed.isPerPlatform }
            if heard.isEmpty || heard.count == reading.count { return nil }
            silent[reading.filter { !heard.contains($0) }, default: []].append(target)
            return heard
        }
        let strangers = reading.filter { library in
            // The combined document has a known reader as soon as any library is named.
            !clients.contains(library) && polled.contains(library.feed) && !isRead(library.feed, on: target, by: clients)
        }
        if !strangers.isEmpty { unlisted[strangers, default: []].append(target) }
        return nil
    }

    /// Whether somebody polled the combined document of another platform of the app. It holds the whole app's objects and lists, for apps
    /// that poll one address on all platforms (wire formats section 6): any of its platforms' phones may be the ones.
    private mutating func isCombinedPolled(besides target: TargetKey) -> Bool {
        let polled =
            combined[target.app]
            ?? Set(
                (catalog.apps[target.app]?.platforms.values.map(\.key) ?? []).filter {
                    polls?.polledFeeds(of: $0).contains(.combined) == true
                }
            )
        combined[target.app] = polled
        return polled.contains { $0 != target }
    }

    /// Whether a library that the app is known to use reads the document; if the document is the whole app's, a library of another platform
    /// counts.
    private func isRead(_ feed: FeedName, on target: TargetKey, by clients: [ClientLibrary]) -> Bool {
        if clients.contains(where: { $0.feed == feed }) { return true }
        guard !feed.isPerPlatform, let app = catalog.apps[target.app] else { return false }
        return app.platforms.values.contains { other in
            guard other.key != target else { return false }
            // For a platform that names no libraries, any of them may be the reader.
            let readers = other.settings.clients ?? ClientLibrary.reading(other.key.platform, scheme: other.settings.versionScheme)
            return readers.contains { $0.feed == feed }
        }
    }

    var warnings: [Warning] { unlistedWarnings + silentWarnings }

    /// Libraries that poll but are missing from a platform's clients; also shown when the clients are set.
    var unlistedWarnings: [Warning] {
        Self.inOrder(unlisted).map { libraries, targets in
            let feeds = Set(libraries.map(\.feed.fileName)).sorted().joined(separator: " and ")
            return Warning(
                code: "client_not_listed",
                detail:
                    "\(feeds) of \(Self.words(targets)) was polled within the last day, and clients does not name \(Self.words(libraries)), so plans say nothing about it. "
                    + "Add it to clients if an app uses it."
            )
        }
    }

    /// Libraries that the plan leaves out because nobody polls for them.
    var silentWarnings: [Warning] {
        Self.inOrder(silent).map { libraries, targets in
            Warning(
                code: "client_not_polled",
                detail:
                    "The plan leaves out \(Self.words(libraries)) on \(Self.words(targets)), because nobody polled for it within the last day. "
                    + "To include it, name the libraries of the apps in the platform's clients."
            )
        }
    }

    private static func inOrder(_ groups: [[ClientLibrary]: [TargetKey]]) -> [(key: [ClientLibrary], value: [TargetKey])] {
        groups.sorted { $0.value[0].description < $1.value[0].description }
    }

    private static func words(_ targets: [TargetKey]) -> String { targets.count == 1 ? targets[0].description : "\(targets.count) targets" }

    private static func words(_ libraries: [ClientLibrary]) -> String {
        let names = libraries.map(\.title)
        return names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }
}

extension ClientLibrary {
    /// Whether one of the polled documents is for this library. Polls of the native one prove nothing: dashboards and commands look at it
    /// too.
    fileprivate func reads(_ polled: Set<FeedName>) -> Bool { polled.contains(feed) || polled.contains(.combined) }
}

extension PlatformSettings {
    /// The settings for a plan that covers only these libraries; unchanged for nil.
    func spoken(of heard: [ClientLibrary]?) -> PlatformSettings {
        guard let heard else { return self }
        var settings = self
        settings.clients = heard
        return settings
    }
}
