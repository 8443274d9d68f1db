package import GateJSON
package import GateModel

/// An app as the admin API shows it: without its gates, which are its targets'.
package struct AppBody: TabledBody {
    package var key: AppKey
    package var name: String
    package var aliases: [Alias]
    package var platforms: [PlatformKey: PlatformSettings]
    /// Feeds of the app's own shapes, by name.
    package var ownFeeds: [ListedOwnFeed]

    package init(
        key: AppKey,
        name: String,
        aliases: [Alias],
        platforms: [PlatformKey: PlatformSettings],
        ownFeeds: [ListedOwnFeed] = []
    ) {
        self.ownFeeds = ownFeeds
        self.key = key
        self.name = name
        self.aliases = aliases
        self.platforms = platforms
    }

    package init(_ app: App) {
        self.init(
            key: app.key,
            name: app.name,
            aliases: app.aliases,
            platforms: app.platforms.mapValues(\.settings),
            ownFeeds: app.ownFeeds.values.sorted { $0.name < $1.name }.map { ListedOwnFeed($0, of: app.key) }
        )
    }

    package static let table = FieldTable<AppBody>(
        answer: "App",
        "An app",
        .needed("key", .appKey, \.key),
        .needed("name", .string, \.name),
        .needed("aliases", .list(of: .alias), \.aliases),
        .needed("platforms", .platforms(of: .settings), \.platforms),
        .optional("ownFeeds", .list(of: .body), \.ownFeeds, standard: []),
        make: AppBody.init(key:name:aliases:platforms:ownFeeds:)
    )
}
