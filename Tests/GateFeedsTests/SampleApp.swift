import GateFeeds
import GateJSON
import GateModel
import Testing

/// Apps for the tests: `shop`, with gates given as documents.
enum SampleApp {
    static let key = AppKey("shop")!
    static let dottedReleases = ["4.0.0", "4.1.0", "4.2.0", "4.3.0"]
    static let codeReleases = ["40", "41", "42", "43"]

    static func settings(_ platform: PlatformKey, releases: [String]? = nil) -> PlatformSettings {
        var settings = PlatformSettings.standard(for: platform)
        settings.releases = releases ?? (settings.versionScheme == .code ? codeReleases : dottedReleases)
        return settings
    }

    static func target(_ platform: PlatformKey, _ gate: Gate = .open, settings: PlatformSettings? = nil) -> Target {
        Target(
            key: TargetKey(app: key, platform: platform),
            settings: settings ?? self.settings(platform),
            gate: gate,
            revision: 42,
            sequence: 1042,
            since: Timestamp(milliseconds: 1_775_122_334_000),
            changedAt: Timestamp(milliseconds: 1_775_122_334_123)
        )
    }

    static func app(_ targets: Target...) -> App { app(targets) }

    static func app(_ targets: [Target]) -> App {
        App(key: key, name: "Shop", platforms: Dictionary(uniqueKeysWithValues: targets.map { ($0.key.platform, $0) }))
    }

    /// A gate read from its document, validated as a write is.
    static func gate(_ document: String, _ settings: PlatformSettings) throws -> Gate {
        try Gate(json: JSONReader.read(document), settings: settings)
    }
}

extension [RenderedFeed] {
    /// The feed of that name; for feeds that there is one of per platform, that platform's.
    func feed(_ name: FeedName, _ platform: PlatformKey = .ios) throws -> RenderedFeed {
        try #require(first { $0.name == name && ($0.platform == nil || $0.platform == platform) })
    }

    func text(_ name: FeedName, _ platform: PlatformKey = .ios) throws -> String {
        String(decoding: try feed(name, platform).bytes, as: UTF8.self)
    }
}
