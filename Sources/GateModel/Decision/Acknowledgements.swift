/// What a person has dismissed: optional updates by their version, alerts by their text. Nothing that shuts a phone out is ever remembered.
public struct Acknowledgements: Sendable, Hashable {
    /// The versions of optional updates, the oldest first.
    public var optionalVersions: [String]
    /// The texts of alerts that do not block, the oldest first. For a message in several languages it is the default text, so a phone whose
    /// language changes is not asked again.
    public var alerts: [String]

    public init(optionalVersions: [String] = [], alerts: [String] = []) {
        self.optionalVersions = optionalVersions
        self.alerts = alerts
    }

    public static let none = Acknowledgements()

    /// Whether the update was dismissed, however its version is spelled: `07` is `7`, and `1.0` is `1.0.0`.
    public func hold(optionalVersion version: String, comparison: VersionComparison) -> Bool {
        optionalVersions.contains { comparison.isSame($0, as: version) }
    }

    /// Whether the alert was dismissed; texts are compared trimmed, and by Unicode's canonical equivalence.
    public func hold(alert message: Message) -> Bool {
        let text = Self.key(message)
        return alerts.contains { MessageText.trimmed($0) == text }
    }

    /// The text under which an alert is remembered.
    public static func key(_ message: Message) -> String { MessageText.trimmed(message.defaultText) }
}
