public import Foundation
import GateJSON
import GateModel

/// What the app shows now: at most one thing.
public struct GateDecision: Sendable, Hashable {
    /// What a decision does to the app, the strongest first.
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
        /// Nothing is shown.
        case open

        /// Whether it keeps everybody from using the app.
        public var shutsOut: Bool {
            switch self {
            case .blocked, .forced, .required: true
            case .optional, .alert, .open: false
            }
        }
    }

    /// The rules of a gate.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        case killSwitch, forceUpdate, requiredUpdate, optionalUpdate, alert
    }

    /// A rule that is in the document but not shown.
    public struct Suppressed: Sendable, Hashable {
        /// The rule that is not shown.
        public let rule: Rule
        /// One word: `masked`, `satisfied`, `unknown_version`, `invalid_version`, `acknowledged`, `postponed`, `not_yet`, `over`,
        /// `not_in_rollout`.
        public let reason: String
        /// The rule that takes precedence over it; nil unless the reason is `masked`.
        public let maskedBy: Rule?

        public init(rule: Rule, reason: String, maskedBy: Rule? = nil) {
            self.rule = rule
            self.reason = reason
            self.maskedBy = maskedBy
        }
    }

    /// What the app is to do.
    public let kind: Kind
    /// The rule that is shown; nil if none is.
    public let rule: Rule?
    /// What people read, in their language; nil if no rule is shown, or if that rule has no text.
    public let message: String?
    /// The language of ``message``; nil for the feed's default text.
    public let language: String?
    /// The version that an update rule names: the lowest that is let in, or the one that is offered.
    public let version: String?
    /// Seconds, 5 to 3600, after which a phone that is shut out polls again; nil for one that is let in.
    public let retryInterval: Int?
    /// When a kill switch is to lift itself, for people to read. Only the feed lifts it: a phone's clock may be wrong.
    public let until: Date?
    /// Where to get the newest release: the feed's link, or else the app's own.
    public let storeURL: URL?
    /// Rules in the document that are not shown, in the order in which they were considered.
    public let suppressed: [Suppressed]
    /// What the app's makers put into the feed for the app.
    public let meta: [String: GateValue]

    /// The key under which a dismissal is remembered; nil for what nobody can dismiss.
    let remembered: Remembered?

    enum Remembered: Sendable, Hashable {
        case optionalVersion(String)
        case alert(String)
    }

    init(_ decision: Decision, storeURL: URL?, meta: [String: GateValue]) {
        kind = Kind(decision.kind)
        rule = decision.rule.map(Rule.init)
        message = decision.text.flatMap { $0.isEmpty ? nil : $0 }
        language = decision.language
        version = decision.version
        retryInterval = decision.retryInterval
        until = decision.until?.date
        self.storeURL = decision.storeURL.flatMap(URL.init(string:)) ?? storeURL
        suppressed = decision.suppressed.map(Suppressed.init)
        self.meta = meta
        remembered =
            switch decision.kind {
            case .optional: decision.version.map(Remembered.optionalVersion)
            case .alert: decision.message.map { .alert(Acknowledgements.key($0)) }
            case .blocked, .forced, .required, .open: nil
            }
    }

    /// Nothing is known to be in force.
    public static let open = GateDecision(.open, storeURL: nil, meta: [:])
}

extension GateDecision.Kind {
    init(_ kind: Decision.Kind) {
        self =
            switch kind {
            case .blocked: .blocked
            case .forced: .forced
            case .required: .required
            case .optional: .optional
            case .alert: .alert
            case .open: .open
            }
    }
}

extension GateDecision.Rule {
    init(_ rule: Rule) {
        self =
            switch rule {
            case .killSwitch: .killSwitch
            case .forceUpdate: .forceUpdate
            case .requiredUpdate: .requiredUpdate
            case .optionalUpdate: .optionalUpdate
            case .alert: .alert
            }
    }
}

extension GateDecision.Suppressed {
    fileprivate init(_ suppressed: Decision.Suppressed) {
        var other: Rule?
        if case .masked(let rule) = suppressed.reason { other = rule }
        self.init(
            rule: .init(suppressed.rule),
            reason: suppressed.reason.code,
            maskedBy: other.map(GateDecision.Rule.init)
        )
    }
}
