/// What one client library shows on the phones of a target, before and after a change, beside what the gate means for them.
///
/// Found by running the library's model over the bytes that it polls; a row of a plan.
public struct Effect: Sendable, Hashable {
    /// What a person meets who starts the app cold.
    public enum Shown: String, Sendable, Hashable, CaseIterable {
        /// Nobody passes: a kill switch, or an alert that cannot be dismissed.
        case blocked
        /// Every version must update.
        case forced
        /// This version must update.
        case required
        /// An update is offered, and can be put off.
        case optional
        /// Something is told, and the app goes on.
        case alert
        case nothing
        /// The app ends with an uncaught exception, at every launch.
        case crash
        /// The library never answers the app again.
        case stuck
        /// The document is of no use to the library, which lets everybody in.
        case rejected

        /// Whether nobody gets past it to use the app.
        public var shutsOut: Bool {
            switch self {
            case .blocked, .forced, .required, .crash, .stuck: true
            case .optional, .alert, .nothing, .rejected: false
            }
        }
    }

    /// Examples of the versions that are alike, at most.
    public static let mostVersions = 5

    public let target: TargetKey
    public let client: ClientLibrary
    /// Up to ``mostVersions`` of those that it is so for; known releases come first.
    public let versions: [String]
    public let before: Shown
    public let after: Shown
    /// By the precedence of the gate's rules alone; never ``Shown/crash``, ``Shown/stuck`` or ``Shown/rejected``.
    public let meant: Shown
    /// One sentence for people: why it is so.
    public let detail: String

    public init(target: TargetKey, client: ClientLibrary, versions: [String], before: Shown, after: Shown, meant: Shown, detail: String) {
        self.target = target
        self.client = client
        self.versions = versions
        self.before = before
        self.after = after
        self.meant = meant
        self.detail = detail
    }

    /// How bad it is, in the order in which a plan tells it.
    public enum Grade: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// Lets in whom the gate means to shut out.
        case letsIn
        /// Shuts out whom the gate means to let in.
        case shutsOut
        /// Shows something else than is meant, to the same people.
        case differs
        /// As it is meant, and something else than before.
        case asMeant

        public static func < (one: Grade, other: Grade) -> Bool { one.rawValue < other.rawValue }
    }

    public var grade: Grade {
        switch (meant.shutsOut, after.shutsOut) {
        case (true, false): .letsIn
        case (false, true): .shutsOut
        case _ where after != meant: .differs
        default: .asMeant
        }
    }
}
