public import GateJSON

/// What the phones of one target show at one moment: every version that is asked about with every client library, by the feed that is the same
/// for everybody and by the one that is made for the version.
public struct SimulationMatrix: Sendable, Hashable {
    /// Versions of one question, at most.
    public static let mostVersions = 50

    /// Which moment is looked at.
    public enum Moment: String, Sendable, Hashable, CaseIterable {
        case now
        /// One to come, with the windows and expiries before it.
        case future
        /// One that is past, as the history has it.
        case past
        /// That at which a revision was made.
        case revision
    }

    /// What a phone is not shown as it is meant.
    public enum Deviation: String, Sendable, Hashable, CaseIterable {
        /// It is let in, and the gate means to shut it out.
        case letsIn
        /// It is shut out, and the gate means to let it in.
        case shutsOut
        /// It shows something else.
        case differs
    }

    /// What a phone shows.
    public struct View: Sendable, Hashable {
        public let outcome: Simulation.Outcome
        /// Whether somebody who starts the app can use it.
        public let letsIn: Bool
        /// The rule that is shown; nil where none is.
        public let rule: Rule?
        public let presentation: Simulation.Presentation
        /// The dialog's title; nil where it has none.
        public let title: String?
        /// What the person reads; nil where nothing is shown or the library knows no text.
        public let message: String?
        /// The dialog's buttons, in its order.
        public let buttons: [String]
        /// Seconds after which the library asks again by itself; nil where it does not.
        public let retryInterval: Int?
        /// What is shown and why, in sentences for people.
        public let detail: String
        /// How it differs from what is meant; nil where it does not.
        public let deviation: Deviation?

        public init(
            outcome: Simulation.Outcome,
            letsIn: Bool,
            rule: Rule?,
            presentation: Simulation.Presentation,
            title: String?,
            message: String?,
            buttons: [String],
            retryInterval: Int?,
            detail: String,
            deviation: Deviation?
        ) {
            self.outcome = outcome
            self.letsIn = letsIn
            self.rule = rule
            self.presentation = presentation
            self.title = title
            self.message = message
            self.buttons = buttons
            self.retryInterval = retryInterval
            self.detail = detail
            self.deviation = deviation
        }
    }

    /// One library with one version.
    public struct Cell: Sendable, Hashable {
        public let version: String
        public let client: ClientLibrary
        /// By the precedence of the gate's rules alone; never ``Effect/Shown/crash``, ``Effect/Shown/stuck`` or ``Effect/Shown/rejected``.
        public let meant: Effect.Shown
        /// Of the feed that is the same for everybody.
        public let untargeted: View
        /// Of the feed that is asked with the version.
        public let targeted: View
        /// Rules in force that the feed for everybody does not show, in the order of ``Rule``.
        public let hidden: [Simulation.Hidden]
        /// Why the feed for everybody does not show what is meant, in sentences for people; nil where it does.
        public let why: String?
        /// What the feed that is asked with the version does about it; nil where the one for everybody is right.
        public let cure: String?

        public init(
            version: String,
            client: ClientLibrary,
            meant: Effect.Shown,
            untargeted: View,
            targeted: View,
            hidden: [Simulation.Hidden],
            why: String?,
            cure: String?
        ) {
            self.version = version
            self.client = client
            self.meant = meant
            self.untargeted = untargeted
            self.targeted = targeted
            self.hidden = hidden
            self.why = why
            self.cure = cure
        }
    }

    public let target: TargetKey
    public let moment: Moment
    /// The moment that is looked at; of a revision that of its change.
    public let at: Timestamp
    /// The revision in force then; a draft, and what the clock will do, are looked at on top of it.
    public let revision: Int
    /// The change that brought it about, as far as it is about the target; nil where it cannot be read.
    public let change: Change?
    /// When the next change of the target came; nil where ``change`` is still in force, and for a moment that is not past.
    public let until: Timestamp?
    /// What is in force then, with the draft and with what the clock will have done.
    public let gate: Gate
    /// Whether a draft is in ``gate``.
    public let isDraft: Bool
    /// Whether the phones were shown before all that their library remembers.
    public let seen: Bool
    /// Gandalf's; nil where none was asked about.
    public let release: GandalfRelease?
    /// The columns, the likeliest library first.
    public let clients: [ClientLibrary]
    /// The rows.
    public let versions: [String]
    /// Whether the server chose the versions.
    public let isProposed: Bool
    /// What is to be known about the answer, a sentence each.
    public let notes: [String]
    /// Version by version, each with all libraries.
    public let cells: [Cell]

    public init(
        target: TargetKey,
        moment: Moment,
        at: Timestamp,
        revision: Int,
        change: Change?,
        until: Timestamp?,
        gate: Gate,
        isDraft: Bool,
        seen: Bool,
        release: GandalfRelease?,
        clients: [ClientLibrary],
        versions: [String],
        isProposed: Bool,
        notes: [String],
        cells: [Cell]
    ) {
        self.target = target
        self.moment = moment
        self.at = at
        self.revision = revision
        self.change = change
        self.until = until
        self.gate = gate
        self.isDraft = isDraft
        self.seen = seen
        self.release = release
        self.clients = clients
        self.versions = versions
        self.isProposed = isProposed
        self.notes = notes
        self.cells = cells
    }
}

extension Effect.Shown {
    /// What it comes to for the person who holds the phone.
    public var outcome: Simulation.Outcome {
        switch self {
        case .blocked: .blocked
        case .forced, .required: .updateRequired
        case .optional: .updateOffered
        case .alert: .notice
        case .nothing: .open
        case .crash, .stuck: .broken
        case .rejected: .failed
        }
    }
}
