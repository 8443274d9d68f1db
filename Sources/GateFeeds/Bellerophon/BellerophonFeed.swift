import GateJSON
import GateModel

/// The status that Bellerophon obeys; it always has all four members.
///
/// Bellerophon's example model treats a missing or null text as a broken status, and a broken status as the all-clear (wire formats 3.1).
/// An interval of 0 makes a blocked phone poll ten thousand times a second (3.3).
enum BellerophonFeed {
    static func document(for target: Target) -> JSONObject {
        let gate = target.gate
        if let rule = gate.killSwitch {
            // The forced update is left out: it would take precedence and hide the text of the kill switch.
            return status(inactive: true, forced: false, interval: rule.retryInterval, text: rule.message.defaultText)
        }
        let interval = target.settings.defaultRetryInterval
        if let rule = gate.forceUpdate {
            return status(inactive: false, forced: true, interval: interval, text: rule.message.defaultText)
        }
        return status(inactive: false, forced: false, interval: interval, text: "")
    }

    private static func status(inactive: Bool, forced: Bool, interval: Int, text: String) -> JSONObject {
        ["apiInactive": .bool(inactive), "forceUpdate": .bool(forced), "retryInterval": .integer(interval), "userMessage": .string(text)]
    }
}
