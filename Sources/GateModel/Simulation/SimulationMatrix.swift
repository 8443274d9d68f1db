public import GateJSON

/// What the phones of one target show at one moment: each version with each client library, once by the feed that is the same for everybody
/// and once by the feed made for the version.
public struct SimulationMatrix: Sendable, Hashable {
    /// The most versions of one request.
    public static let mostVersions = 50

    /// Which moment is shown.
    public enum Moment: String, Sendable, Hashable, CaseIterable {
        case now
        /// A future one, with the windows and expiries up to it.
        case future
        /// A past one, as recorded in the history.
        case past
        /// The moment at which a revision was made.
        case revision
    }

    /// How what a phone shows differs from what is meant.
    public enum Deviation: String, Sendable, Hashable, CaseIterable {
        /// It is let in, but the gate is meant to shut it out.
        case letsIn
        /// It is shut out, but the gate is meant to let it in.
        case shutsOut
        /// It shows something else than is meant.
        case differs
    }

    /// What a phone shows, and whether that is meant.
    public struct View: Sendable, Hashable {
        public let shown: PhoneView
        /// How it differs from what is meant; nil if it does not.
        public let deviation: Deviation?

        public init(shown: PhoneView, deviation: Deviation?) {
            self.shown = shown
            self.deviation = deviation
        }
    }

    /// One library with one version.
    public struct Cell: Sendable, Hashable {
        public let version: String
        public let client: ClientLibrary
        /// By the precedence of the gate's rules alone; never ``Effect/Shown/crash``, ``Effect/Shown/stuck`` or ``Effect/Shown/rejected``.
        public let meant: Effect.Shown
        /// By the feed that is the same for everybody.
        public let untargeted: View
        /// By the feed that is requested with the version.
        public let targeted: View
        /// Rules in force that the feed for everybody does not make the phone show, in the order of ``Rule``.
        public let hidden: [Simulation.Hidden]
        /// Why the feed for everybody does not lead to what is meant, in sentences for people; nil if it does.
        public let why: String?
        /// How the feed requested with the version changes that; nil if the one for everybody is right.
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
    /// The moment shown; for a revision, the moment of its change.
    public let at: Timestamp
    /// The revision in force then; a draft, and what the clock will do, come on top of it.
    public let revision: Int
    /// The change that made that revision, as far as it concerns the target; nil if it cannot be read.
    public let change: Change?
    /// When the next change of the target came; nil if ``change`` is still in force, and for a moment that is not past.
    public let until: Timestamp?
    /// What is in force then, including the draft and what the clock will have done.
    public let gate: Gate
    /// Whether ``gate`` includes a draft.
    public let isDraft: Bool
    /// Whether the phones have already shown everything that their library remembers.
    public let seen: Bool
    /// The release of Gandalf; nil if none was asked for.
    public let release: GandalfRelease?
    /// The columns, the likeliest library first.
    public let clients: [ClientLibrary]
    /// The rows.
    public let versions: [String]
    /// Whether the server chose the versions.
    public let isProposed: Bool
    /// What people should know about the answer, one sentence each.
    public let notes: [String]
    /// All cells, version by version, each with every library.
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
    /// What it means for the person who holds the phone.
    public var outcome: PhoneView.Outcome {
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
