public import GateJSON

/// What one phone shows: one client library in one version of an app, after it has polled its feed once.
public struct Simulation: Sendable, Hashable {
    /// ASCII characters of a version as apps send theirs (wire formats section 6).
    public static let versionLengths = 1...32

    /// A rule that is in force but that this phone does not show.
    public struct Hidden: Sendable, Hashable {
        public let rule: Rule
        /// One sentence for people that says why not.
        public let detail: String

        public init(rule: Rule, detail: String) {
            self.rule = rule
            self.detail = detail
        }
    }

    public let target: TargetKey
    /// The target's live revision; a draft is simulated on top of it.
    public let revision: Int
    public let client: ClientLibrary
    /// The release of Gandalf that was asked for; nil if none was, in which case it is ``GandalfRelease/usual``.
    public let release: GandalfRelease?
    /// The libraries that can read this platform's feeds, the likeliest first.
    public let clients: [ClientLibrary]
    /// The installed version.
    public let version: String
    /// The simulated moment.
    public let at: Timestamp
    /// Whether the phone has already shown everything that its library remembers.
    public let seen: Bool
    public let shown: PhoneView
    /// Rules in force that are not shown, in the order of ``Rule``.
    public let hidden: [Hidden]
    /// The path of the feed whose bytes were read.
    public let feed: String

    public init(
        target: TargetKey,
        revision: Int,
        client: ClientLibrary,
        release: GandalfRelease? = nil,
        clients: [ClientLibrary],
        version: String,
        at: Timestamp,
        seen: Bool,
        shown: PhoneView,
        hidden: [Hidden],
        feed: String
    ) {
        self.target = target
        self.revision = revision
        self.client = client
        self.release = release
        self.clients = clients
        self.version = version
        self.at = at
        self.seen = seen
        self.shown = shown
        self.hidden = hidden
        self.feed = feed
    }
}
