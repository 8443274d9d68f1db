public import GateJSON

/// What one phone shows: the one rule of its gate that applies, in the phone's language, and why the others do not.
public struct Decision: Sendable, Hashable {
    /// The words are those of OpenFeature's object flag `gate` and of `gatekit-demo`.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nobody gets past: a kill switch, or a blocking alert.
        case blocked
        /// Every version must update.
        case forced
        /// This version must update.
        case required
        /// An update is offered, and can be put off.
        case optional
        /// A message is shown, and the app goes on.
        case alert
        case open

        /// Whether it keeps everybody from using the app.
        public var shutsOut: Bool {
            switch self {
            case .blocked, .forced, .required: true
            case .optional, .alert, .open: false
            }
        }
    }

    /// Why a rule that is on is not shown.
    public enum Reason: Sendable, Hashable {
        /// It would be, but another rule takes precedence. In LaunchGate's order that other rule need not even apply.
        case masked(by: Rule)
        /// The installed version is not below the rule's version, and not a blocked one.
        case satisfied
        /// The installed version is unknown, or not a valid version.
        case unknownVersion
        /// The rule's own version is not a valid one.
        case invalidVersion
        /// The person has dismissed it.
        case acknowledged
        /// The person has put it off for now.
        case postponed
        /// Its time has not come yet.
        case notYet
        /// Its time is over.
        case over
        /// The phone is not in the share of phones that the rule is for.
        case notInRollout

        /// The reason as one word, for programs.
        public var code: String {
            switch self {
            case .masked: "masked"
            case .satisfied: "satisfied"
            case .unknownVersion: "unknown_version"
            case .invalidVersion: "invalid_version"
            case .acknowledged: "acknowledged"
            case .postponed: "postponed"
            case .notYet: "not_yet"
            case .over: "over"
            case .notInRollout: "not_in_rollout"
            }
        }
    }

    /// A rule that is on but not shown.
    public struct Suppressed: Sendable, Hashable {
        public let rule: Rule
        public let reason: Reason

        public init(rule: Rule, reason: Reason) {
            self.rule = rule
            self.reason = reason
        }
    }

    public let kind: Kind
    /// The rule that is shown; nil if none is.
    public let rule: Rule?
    /// What people read; nil if no rule is shown.
    public let message: Message?
    /// ``message`` in the phone's language.
    public let text: String?
    /// The tag under which ``text`` was found; nil for the default text.
    public let language: String?
    /// The version that an update rule names: the lowest that is let in, or the one that is offered. Nil for every other rule.
    public let version: String?
    /// Seconds, 5 to 3600, after which a phone that is shut out polls again; nil for one that is let in.
    public let retryInterval: Int?
    /// When a kill switch is to lift itself, for people to read: the feed lifts it, not the phone's clock.
    public let until: Timestamp?
    /// Where to get the newest release; nil if that is not known.
    public let storeURL: String?
    /// Rules that are on but not shown, in the order in which they were considered.
    public let suppressed: [Suppressed]

    public init(
        kind: Kind,
        rule: Rule? = nil,
        message: Message? = nil,
        text: String? = nil,
        language: String? = nil,
        version: String? = nil,
        retryInterval: Int? = nil,
        until: Timestamp? = nil,
        storeURL: String? = nil,
        suppressed: [Suppressed] = []
    ) {
        self.kind = kind
        self.rule = rule
        self.message = message
        self.text = text
        self.language = language
        self.version = version
        self.retryInterval = retryInterval
        self.until = until
        self.storeURL = storeURL
        self.suppressed = suppressed
    }

    /// No rule is in force.
    public static let open = Decision(kind: .open)
}
