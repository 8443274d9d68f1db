import GateJSON
import GateModel

/// Takes over a Bellerophon status: its two flags set or clear `killSwitch` and `forceUpdate`, and its interval becomes the platform's.
enum BellerophonImport {
    static func read(_ status: JSONObject, on platform: PlatformKey, into draft: inout ImportDraft) {
        guard let target = draft.app.platforms[platform] else {
            let (name, value) = status.members[0]
            return draft.refuseUnknownPlatform(platform.text, name, value)
        }
        let blocks = ["apiInactive", "forceUpdate"].contains { status[$0].flatMap(AppleJSON.flag) == true }
        let interval = interval(status["retryInterval"], isNeeded: blocks, &draft)
        if let interval { draft.set(defaultRetryInterval: interval, on: platform) }

        let rules: [(rule: Rule, isOn: Bool?)] = [
            (.killSwitch, flag("apiInactive", status, &draft)), (.forceUpdate, flag("forceUpdate", status, &draft)),
        ]
        for (rule, isOn) in rules where isOn == false { draft.clear(rule, on: platform) }
        let set = rules.filter { $0.isOn == true }.map(\.rule)
        guard let text = text(status["userMessage"], isNeeded: !set.isEmpty, &draft) else { return }
        for rule in set {
            var json: JSONObject = ["message": .string(text)]
            if rule == .killSwitch, let interval { json["retryInterval"] = .integer(interval) }
            draft.set(rule, on: target, to: json) { _ in ("userMessage", .string(text)) }
        }
        hideUnread(status, on: target, &draft)
        if set.isEmpty, !text.isEmpty {
            draft.warn(
                "unused_message",
                "userMessage is not kept: nothing blocks \(target.key) in this file, and a text belongs to the rule that shows it."
            )
        }
    }

    /// What the library does not look at shuts nobody out today, and must not start to.
    private static func hideUnread(_ status: JSONObject, on target: Target, _ draft: inout ImportDraft) {
        func hide(_ rule: Rule, _ name: String, _ why: String) { draft.hide(rule, on: target, at: name, status[name], because: why) }
        switch BellerophonClient.read(JSONValue.object(status).bytes) {
        case .accepted(let status) where status.forceUpdate && status.apiInactive:
            hide(
                .killSwitch,
                "apiInactive",
                "beside forceUpdate Bellerophon never looks at apiInactive, so phones only ask for the update today"
            )
        case .accepted, .stuck: break
        case .rejected, .failed:
            let why = "Bellerophon's example model drops the whole status because retryInterval is no number that it can read"
            hide(.killSwitch, "apiInactive", "\(why), so apiInactive blocks nobody today")
            hide(.forceUpdate, "forceUpdate", "\(why), so forceUpdate blocks nobody today")
        }
    }

    /// The flag as the example model reads it; nil if it was refused. The model reads other types as false, but somebody who wrote "true"
    /// in quotes meant something else.
    private static func flag(_ name: String, _ status: JSONObject, _ draft: inout ImportDraft) -> Bool? {
        guard let value = status[name], !value.isNull else { return false }
        if let flag = AppleJSON.flag(value) { return flag }
        draft.refuse(
            name,
            value,
            code: "malformed",
            "\(name) must be true or false and is \(value.kindInWords), which Bellerophon takes for false."
        )
        return nil
    }

    private static func interval(_ value: JSONValue?, isNeeded: Bool, _ draft: inout ImportDraft) -> Int? {
        guard let value else {
            if isNeeded {
                draft.refuse(
                    "retryInterval",
                    nil,
                    code: "invalid_retry_interval",
                    "Something blocks the app and there is no retryInterval; Bellerophon's example model takes that for the all-clear. Give it one."
                )
            }
            return nil
        }
        if let seconds = value.integer, PlatformSettings.retryIntervals.contains(seconds) { return seconds }
        draft.refuse(
            "retryInterval",
            value,
            code: "invalid_retry_interval",
            "retryInterval must be a whole number of seconds from 5 to 3600; 0 makes a blocked phone ask without a pause."
        )
        return nil
    }

    /// The text; "" if there is none and none is needed; nil if it was refused.
    private static func text(_ value: JSONValue?, isNeeded: Bool, _ draft: inout ImportDraft) -> String? {
        switch value {
        case .string(let text): return text
        case nil, .null:
            if !isNeeded { return "" }
            draft.refuse(
                "userMessage",
                value,
                code: "invalid_message",
                "Something blocks the app and userMessage has no text; Bellerophon's example model takes that for the all-clear. Give it one."
            )
        default:
            draft.refuse(
                "userMessage",
                value,
                code: "malformed",
                "userMessage must be a text, which Bellerophon's example model insists on."
            )
        }
        return nil
    }
}
