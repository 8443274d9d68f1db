public import GateJSON

/// What one phone shows: one client library in one version of an app, after it has polled its feed once.
public struct Simulation: Sendable, Hashable {
    /// ASCII characters of a version as apps send theirs (wire formats section 6).
    public static let versionLengths = 1...32

    /// What it means for the person who holds the phone.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The app goes on, and nothing is shown.
        case open
        /// A message is shown, and the app goes on.
        case notice
        /// An update is offered and can be put off.
        case updateOffered
        /// The app goes on only after an update.
        case updateRequired
        /// Nobody gets past.
        case blocked
        /// The library cannot use the feed, and lets everybody in.
        case failed
        /// The library never calls the app back, or crashes it.
        case broken
    }

    /// How it is shown, for code that draws it.
    public enum Presentation: String, Sendable, Hashable, CaseIterable {
        /// Nothing is shown.
        case none
        /// The app's own screen over everything.
        case screen
        /// A dialog of the library over the app.
        case dialog
        /// The library only informs the app, which shows what it likes.
        case app
    }

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
    public let outcome: Outcome
    /// Whether somebody who starts the app can use it.
    public let letsIn: Bool
    /// The rule that is shown; nil if none is.
    public let rule: Rule?
    public let presentation: Presentation
    /// The dialog's title; nil if it has none.
    public let title: String?
    /// What the person reads; nil if nothing is shown or the library has no text.
    public let message: String?
    /// The dialog's buttons, in the order shown. A blocking dialog may have none.
    public let buttons: [String]
    /// Seconds after which the library polls again by itself; nil if it does not.
    public let retryInterval: Int?
    /// What is shown and why, in sentences for people.
    public let detail: String
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
        outcome: Outcome,
        letsIn: Bool,
        rule: Rule?,
        presentation: Presentation,
        title: String?,
        message: String?,
        buttons: [String],
        retryInterval: Int?,
        detail: String,
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
        self.outcome = outcome
        self.letsIn = letsIn
        self.rule = rule
        self.presentation = presentation
        self.title = title
        self.message = message
        self.buttons = buttons
        self.retryInterval = retryInterval
        self.detail = detail
        self.hidden = hidden
        self.feed = feed
    }
}
