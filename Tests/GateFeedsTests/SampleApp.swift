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
            key: TargetKey(app: key, platform: platform), settings: settings ?? self.settings(platform), gate: gate, revision: 42, sequence: 1042,
            since: Timestamp(milliseconds: 1_775_122_334_000), changedAt: Timestamp(milliseconds: 1_775_122_334_123)
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

    func text(_ name: FeedName, _ platform: PlatformKey = .ios) throws -> String { String(decoding: try feed(name, platform).bytes, as: UTF8.self) }
}

/// The same numbers on every run and every system (splitmix64), so that a gate that breaks a guarantee can be found again by its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
