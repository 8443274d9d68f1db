/// What a file of an app's own shape becomes, and the proof that phones will not notice: shown before anything is saved.
public struct TakeoverProof: Sendable, Hashable {
    /// How a feed compares with the file.
    public enum Match: String, Sendable, Hashable, CaseIterable {
        /// Byte for byte.
        case identical
        /// The same values, spelled otherwise.
        case equal
        /// Other values, which ``TakeoverProof/comparison`` tells.
        case different
    }

    /// Where two documents say something else. Values are JSON texts, cut to ``TakeoverProof/mostCharacters``; nil where nothing stands.
    public struct Difference: Sendable, Hashable {
        /// As people type it: `$.ios.maintenance`.
        public let path: String
        public let before: String?
        public let after: String?

        public init(path: String, before: String?, after: String?) { (self.path, self.before, self.after) = (path, before, after) }
    }

    /// In what two documents differ.
    public struct Comparison: Sendable, Hashable {
        public let differences: [Difference]
        /// How many more there are than are told.
        public let omitted: Int

        public init(differences: [Difference], omitted: Int = 0) { (self.differences, self.omitted) = (differences, omitted) }

        public var isEmpty: Bool { differences.isEmpty && omitted == 0 }
    }

    /// What the other position of a kill switch makes of the feed.
    public struct Flip: Sendable, Hashable {
        public let platform: PlatformKey
        /// Whether the kill switch is on after it.
        public let isKilled: Bool
        /// Empty for a feed that tells nothing of it.
        public let comparison: Comparison

        public init(platform: PlatformKey, isKilled: Bool, comparison: Comparison) {
            (self.platform, self.isKilled, self.comparison) = (platform, isKilled, comparison)
        }
    }

    /// Values of a file that mean something.
    public static let mostMeanings = 200
    /// Differences that are told of one comparison, and of all together: with the longest names they are still short of an answer's 2 MiB.
    public static let mostDifferencesOfOne = 20
    public static let mostDifferences = 100
    public static let mostCharacters = 200

    public let name: OwnFeedName
    /// Nil for a feed of the whole app.
    public let platform: PlatformKey?
    /// Where it will be served.
    public let path: String
    /// What the file's values mean, as it was said or, where nothing was said, as names that speak propose it: `$.maintenance=kill`.
    public let meanings: [String]
    public let template: String
    /// What phones get at first: with the gates that are in force once the file is taken over.
    public let document: String
    public let match: Match
    /// Between the file and the feed.
    public let comparison: Comparison
    public let flips: [Flip]

    public init(
        name: OwnFeedName,
        platform: PlatformKey?,
        path: String,
        meanings: [String],
        template: String,
        document: String,
        match: Match,
        comparison: Comparison,
        flips: [Flip]
    ) {
        self.name = name
        self.platform = platform
        self.path = path
        self.meanings = meanings
        self.template = template
        self.document = document
        self.match = match
        self.comparison = comparison
        self.flips = flips
    }
}
