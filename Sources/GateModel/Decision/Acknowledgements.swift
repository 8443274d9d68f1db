/// What a person has put away: optional updates by their version, alerts by their text. Nothing that shuts a phone out is ever remembered.
public struct Acknowledgements: Sendable, Hashable {
    /// The versions of optional updates, the oldest first.
    public var optionalVersions: [String]
    /// The texts of alerts that do not block, the oldest first; of a message in several languages the default text, so that a phone that
    /// changes its language is not asked again.
    public var alerts: [String]

    public init(optionalVersions: [String] = [], alerts: [String] = []) {
        self.optionalVersions = optionalVersions
        self.alerts = alerts
    }

    public static let none = Acknowledgements()

    /// Whether the update was put away, in whatever spelling of its version: `07` is `7`, and `1.0` is `1.0.0`.
    public func hold(optionalVersion version: String, comparison: VersionComparison) -> Bool {
        optionalVersions.contains { comparison.isSame($0, as: version) }
    }

    /// Whether the alert was put away; texts are compared trimmed, as Unicode has them equal.
    public func hold(alert message: Message) -> Bool {
        let text = Self.key(message)
        return alerts.contains { MessageText.trimmed($0) == text }
    }

    /// Under what an alert is remembered.
    public static func key(_ message: Message) -> String { MessageText.trimmed(message.defaultText) }
}
