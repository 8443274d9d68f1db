/// What a file in an app's own shape becomes, and the proof that phones will not notice: shown before anything is saved.
public struct TakeoverProof: Sendable, Hashable {
    /// How a feed compares with the file.
    public enum Match: String, Sendable, Hashable, CaseIterable {
        /// Byte for byte.
        case identical
        /// The same values, written differently.
        case equal
        /// Other values; ``TakeoverProof/comparison`` lists them.
        case different
    }

    /// A place where two documents differ. Values are JSON texts, cut to ``TakeoverProof/mostCharacters``; nil if nothing is there.
    public struct Difference: Sendable, Hashable {
        /// In the form that people type: `$.ios.maintenance`.
        public let path: String
        public let before: String?
        public let after: String?

        public init(path: String, before: String?, after: String?) { (self.path, self.before, self.after) = (path, before, after) }
    }

    /// The differences between two documents.
    public struct Comparison: Sendable, Hashable {
        public let differences: [Difference]
        /// How many more differences there are than are listed.
        public let omitted: Int

        public init(differences: [Difference], omitted: Int = 0) { (self.differences, self.omitted) = (differences, omitted) }

        public var isEmpty: Bool { differences.isEmpty && omitted == 0 }
    }

    /// What changes in the feed when the kill switch is switched over.
    public struct Flip: Sendable, Hashable {
        public let platform: PlatformKey
        /// Whether the kill switch is on afterwards.
        public let isKilled: Bool
        /// Empty for a feed that does not show the kill switch.
        public let comparison: Comparison

        public init(platform: PlatformKey, isKilled: Bool, comparison: Comparison) {
            (self.platform, self.isKilled, self.comparison) = (platform, isKilled, comparison)
        }
    }

    /// The most values of a file that may have a meaning.
    public static let mostMeanings = 200
    /// The most differences listed for one comparison, and for all together: even with the longest names they stay below an answer's 2 MiB.
    public static let mostDifferencesOfOne = 20
    public static let mostDifferences = 100
    public static let mostCharacters = 200

    public let name: OwnFeedName
    /// Nil for a feed of the whole app.
    public let platform: PlatformKey?
    /// Where it will be served.
    public let path: String
    /// What the file's values mean, as stated by the caller or else as suggested by telling names: `$.maintenance=kill`.
    public let meanings: [String]
    public let template: String
    /// What phones get first: the feed with the gates in force right after the takeover.
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
