import GateJSON
import GateModel

/// The last check of every value on its way to phones.
///
/// Stored values were validated once, under the settings of that day. That must not be the only protection against a value on which a
/// client library crashes, or which it shows as a blank dialog (wire formats 6.1 items 6, 11, 19, 29).
enum PublicationCheck {
    static func check(_ target: Target) throws(FeedError) {
        let gate = target.gate
        if let rule = gate.killSwitch {
            try check(rule.message, "/killSwitch/message", target)
            try check(interval: rule.retryInterval, "/killSwitch/retryInterval", target)
        }
        try check(interval: target.settings.defaultRetryInterval, "/settings/defaultRetryInterval", target)
        if let rule = gate.forceUpdate { try check(rule.message, "/forceUpdate/message", target) }
        if let rule = gate.requiredUpdate {
            try check(rule.message, "/requiredUpdate/message", target)
            try check(version: rule.minimumVersion, "/requiredUpdate/minimumVersion", target)
            for (index, version) in rule.blockedVersions.enumerated() {
                try check(version: version, "/requiredUpdate/blockedVersions/\(index)", target)
            }
        }
        if let rule = gate.optionalUpdate {
            try check(rule.message, "/optionalUpdate/message", target)
            try check(version: rule.optionalVersion, "/optionalUpdate/optionalVersion", target)
        }
        if let rule = gate.alert { try check(rule.message, "/alert/message", target) }
    }

    /// The crash guard for values that Android clients read: all code that writes one calls it, whatever was checked before.
    ///
    /// Released Gandalf clients crash at every launch on anything but a version code (wire formats 2.3).
    static func versionCode(_ text: String, _ field: String, _ target: Target) throws(FeedError) -> String {
        guard VersionScheme.code.accepts(text) else { throw unpublishable(version: text, field, target) }
        return text
    }

    private static func check(version: String, _ field: String, _ target: Target) throws(FeedError) {
        guard target.settings.versionScheme.accepts(version) else { throw unpublishable(version: version, field, target) }
    }

    private static func check(_ message: Message, _ field: String, _ target: Target) throws(FeedError) {
        switch message {
        case .text(let text): try check(text: text, field, target)
        case .localized(let texts):
            try check(text: message.defaultText, field, target)
            for (tag, text) in texts { try check(text: text, field + "/" + tag, target) }
        }
    }

    private static func check(text: String, _ field: String, _ target: Target) throws(FeedError) {
        let clean = try? MessageText.cleaned(text, field: field)  // the error below says it with the target's name
        // Compared by bytes, because Swift's == treats a text and its normalised form as equal.
        guard let clean, clean.utf8.elementsEqual(text.utf8) else {
            throw FeedError(
                code: "unpublishable_message",
                target: target.key,
                field: field,
                detail: "The text of \(target.key) is empty or holds characters that phones cannot show; rewrite it."
            )
        }
    }

    private static func check(interval: Int, _ field: String, _ target: Target) throws(FeedError) {
        guard PlatformSettings.retryIntervals.contains(interval) else {
            throw FeedError(
                code: "unpublishable_interval",
                target: target.key,
                field: field,
                detail:
                    "A retry interval of \(interval) s on \(target.key) would make phones storm the server or never ask again; use 5 to 3600."
            )
        }
    }

    private static func unpublishable(version: String, _ field: String, _ target: Target) -> FeedError {
        let shown = JSONValue.quoted(version)
        let wanted = target.settings.versionScheme == .code ? "a version code such as \"41\"" : "a version such as \"4.2.0\""
        return FeedError(
            code: "unpublishable_version",
            target: target.key,
            field: field,
            detail: "\(shown) cannot be published on \(target.key); set the rule to \(wanted) or clear it."
        )
    }
}
