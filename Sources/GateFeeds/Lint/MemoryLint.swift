import GateModel

/// What phones will remember about a change, and what will stay on their screens (wire formats 6.1 items 17 and 18).
///
/// LaunchGate and Gandalf show an alert that can be dismissed once per text, and an optional update once per version. Neither removes a
/// dialog that has no way out.
enum MemoryLint {
    static func findings(_ change: GateChange) -> [Finding] {
        alert(change) + optionalUpdate(change) + relaunch(change)
    }

    private static func alert(_ change: GateChange) -> [Finding] {
        guard change.sets(.alert), let alert = change.after.alert, !alert.blocking else { return [] }
        let text = alert.message.defaultText
        let live = change.before.alert.flatMap { $0.blocking ? nil : $0.message.defaultText }
        guard let live else {
            guard text == change.previous.alert else { return [] }
            return [
                Finding(
                    code: "alert_text_repeated",
                    detail:
                        "The last alert on \(change.target) had the same text, so LaunchGate and Gandalf users who saw it do not see it again; change the text.",
                    field: "/alert/message"
                )
            ]
        }
        if text == live {
            return [
                Finding(
                    code: "alert_text_repeated",
                    detail:
                        "The alert on \(change.target) keeps its default text, so LaunchGate and Gandalf users who saw it do not see it again; change that text to reach them.",
                    field: "/alert/message"
                )
            ]
        }
        return [
            Finding(
                code: "alert_shown_again",
                detail:
                    "LaunchGate and Gandalf remember an alert by its text, so everybody on \(change.target) sees this one again; leave the text as it is to spare them.",
                field: "/alert/message"
            )
        ]
    }

    private static func optionalUpdate(_ change: GateChange) -> [Finding] {
        guard change.sets(.optionalUpdate), let rule = change.after.optionalUpdate,
            let last = change.before.optionalUpdate ?? change.previous.optionalUpdate, last.optionalVersion == rule.optionalVersion,
            last.message != rule.message
        else { return [] }
        return [
            Finding(
                code: "optional_message_only",
                detail:
                    "Phones remember an optional update by its version, so users on \(change.target) who put \(rule.optionalVersion) off do not see the new text; only a new version is shown to them again.",
                field: "/optionalUpdate/message"
            )
        ]
    }

    private static func relaunch(_ change: GateChange) -> [Finding] {
        guard change.startsBlockingDialog else { return [] }
        return [
            Finding(
                code: "relaunch_after_blocking_alert",
                detail:
                    "LaunchGate and Gandalf never take a blocking dialog down: users on \(change.target) who see it must relaunch the app after it is cleared.",
                field: change.after.killSwitch != nil ? "/killSwitch" : "/alert"
            )
        ]
    }
}
