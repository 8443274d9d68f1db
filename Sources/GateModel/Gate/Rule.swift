public import GateJSON

/// The five rules of a gate, named as in the client libraries.
public enum Rule: String, Sendable, Hashable, CaseIterable {
    case killSwitch, forceUpdate, requiredUpdate, optionalUpdate, alert

    /// Whether it names a version, and applies to those below it alone.
    package var hasVersion: Bool { self == .requiredUpdate || self == .optionalUpdate }
}

/// Nobody gets in, whatever the version.
public struct KillSwitch: Sendable, Hashable {
    public var message: Message
    /// Seconds until a blocked phone polls again, 5 to 3600: fewer would be a request storm, and 0 is Bellerophon's 0.1 ms loop.
    public var retryInterval: Int
    /// When the kill switch lifts itself, as a change of its own with the source `expiry`; nil for one that a person has to lift. Whether
    /// it lies in the future is checked by code that has a clock: in history it is past.
    public var until: Timestamp?
    /// Since when a growing share of callers is let in, until everybody is at ``until``, which comes later; nil for a kill switch that lets
    /// nobody in.
    public var opening: Timestamp?

    public init(message: Message, retryInterval: Int, until: Timestamp? = nil, opening: Timestamp? = nil) {
        self.message = message
        self.retryInterval = retryInterval
        self.until = until
        self.opening = opening
    }
}

/// Every version must update.
public struct ForceUpdate: Sendable, Hashable {
    public var message: Message

    public init(message: Message) { self.message = message }
}

/// Versions below a minimum, and blocked ones, must update.
public struct RequiredUpdate: Sendable, Hashable {
    public var minimumVersion: String
    /// Single versions that must update although they are not below the minimum; only targeted and native feeds carry them.
    public var blockedVersions: [String]
    public var message: Message

    public init(minimumVersion: String, blockedVersions: [String] = [], message: Message) {
        self.minimumVersion = minimumVersion
        self.blockedVersions = blockedVersions
        self.message = message
    }
}

/// Versions below this one are offered an update.
public struct OptionalUpdate: Sendable, Hashable {
    public var optionalVersion: String
    public var message: Message

    public init(optionalVersion: String, message: Message) {
        self.optionalVersion = optionalVersion
        self.message = message
    }
}

/// Everybody is shown a message; a blocking alert lets nobody past.
public struct Alert: Sendable, Hashable {
    public var message: Message
    public var blocking: Bool

    public init(message: Message, blocking: Bool) {
        self.message = message
        self.blocking = blocking
    }
}
