public import GateJSON

/// What one phone faces: the one rule of its gate that speaks, in the phone's language, and why the others do not.
public struct Decision: Sendable, Hashable {
    /// The words are those of OpenFeature's object flag `gate` and of `gatekit-demo`.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nobody passes: a kill switch, or a blocking alert.
        case blocked
        /// Every version must update.
        case forced
        /// This version must update.
        case required
        /// An update is offered, and can be put off.
        case optional
        /// Something is told, and the app goes on.
        case alert
        case open

        /// Whether nobody gets past it to use the app.
        public var shutsOut: Bool {
            switch self {
            case .blocked, .forced, .required: true
            case .optional, .alert, .open: false
            }
        }
    }

    /// Why a rule that is on does not speak.
    public enum Reason: Sendable, Hashable {
        /// It would, but another goes before it. In LaunchGate's order the other need not apply.
        case masked(by: Rule)
        /// The installed version is not below the rule's, and is none that is blocked.
        case satisfied
        /// The installed version is not known, or is no version.
        case unknownVersion
        /// The rule's own version is none.
        case invalidVersion
        /// The person has put it away.
        case acknowledged
        /// The person has put it off for now.
        case postponed
        /// Its time has not come.
        case notYet
        /// Its time is over.
        case over
        /// The phone is not among the share of phones that it is for.
        case notInRollout

        /// In one word, for programs.
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

    /// A rule that is on and does not speak.
    public struct Suppressed: Sendable, Hashable {
        public let rule: Rule
        public let reason: Reason

        public init(rule: Rule, reason: Reason) {
            self.rule = rule
            self.reason = reason
        }
    }

    public let kind: Kind
    /// The rule that speaks; nil when none does.
    public let rule: Rule?
    /// What people read; nil when no rule speaks.
    public let message: Message?
    /// ``message`` in the language of the phone.
    public let text: String?
    /// The tag under which ``text`` was found; nil for the default text.
    public let language: String?
    /// The version that an update rule names: the least that is let in, or the one that is offered. Nil for every other rule.
    public let version: String?
    /// Seconds, 5 to 3600, after which a phone that is shut out asks again; nil for one that is let in.
    public let retryInterval: Int?
    /// When a kill switch is to lift itself, for people to read: it is the feed that lifts it, not a phone's clock.
    public let until: Timestamp?
    /// Where the newest release is; nil where that is not known.
    public let storeURL: String?
    /// Rules that are on and do not speak, in the order in which they were asked.
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

    /// Nothing is in force.
    public static let open = Decision(kind: .open)
}
