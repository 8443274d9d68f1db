/// What one client library shows on the phones of a target before and after a change, and what the gate means for them.
///
/// Found by running a model of the library over the bytes that it polls; a row of a plan.
public struct Effect: Sendable, Hashable {
    /// What a person sees on a cold start of the app.
    public enum Shown: String, Sendable, Hashable, CaseIterable {
        /// Nobody gets past: a kill switch, or an alert that cannot be dismissed.
        case blocked
        /// Every version must update.
        case forced
        /// This version must update.
        case required
        /// An update is offered, and can be put off.
        case optional
        /// A message is shown, and the app goes on.
        case alert
        case nothing
        /// The app dies of an uncaught exception at every launch.
        case crash
        /// The library never calls the app back.
        case stuck
        /// The library cannot use the document, or gets none; what is on the screens then, the sentence says. Nearly all let everybody in.
        case rejected

        /// Whether it keeps everybody from using the app.
        public var shutsOut: Bool {
            switch self {
            case .blocked, .forced, .required, .crash, .stuck: true
            case .optional, .alert, .nothing, .rejected: false
            }
        }
    }

    /// The most example versions given for phones that behave alike.
    public static let mostVersions = 5

    public package(set) var target: TargetKey
    public let client: ClientLibrary
    /// Up to ``mostVersions`` of the versions concerned; known releases come first.
    public let versions: [String]
    public let before: Shown
    public let after: Shown
    /// By the precedence of the gate's rules alone; never ``Shown/crash``, ``Shown/stuck`` or ``Shown/rejected``.
    public let meant: Shown
    /// One sentence for people that says why.
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

    /// How bad it is, in the order in which a plan lists it.
    public enum Grade: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// Lets in people whom the gate is meant to shut out.
        case letsIn
        /// Shuts out people whom the gate is meant to let in.
        case shutsOut
        /// Shows the same people something other than what is meant.
        case differs
        /// As meant, but not the same as before.
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
