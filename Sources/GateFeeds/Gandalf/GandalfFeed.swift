import GateJSON
import GateModel

/// The object that Gandalf obeys, the same for every caller.
///
/// Gandalf lets the first rule that *applies* decide, so rules can stand side by side. Its released versions crash at every launch on
/// anything but a version code (wire formats 2.3), so each value is checked again here.
enum GandalfFeed {
    static func object(for target: Target) throws(FeedError) -> JSONObject {
        let gate = target.gate
        var object = JSONObject()
        if let rule = gate.killSwitch {
            object["alert"] = RuleObject.alert(rule.message, blocking: true)
            return object
        }
        if target.publishesVersionCodes {
            if let rule = gate.forceUpdate, let newest = target.settings.newestRelease {
                let version = try PublicationCheck.versionCode(newest, "/forceUpdate", target)
                object["requiredUpdate"] = RuleObject.requiredUpdate(version, rule.message)
                // The update does not apply to those with the newest release; a blocking alert must still hold them.
                if let alert = gate.blockingAlert { object["alert"] = RuleObject.alert(alert.message, blocking: true) }
                return object
            }
            if let rule = gate.requiredUpdate {
                let version = try PublicationCheck.versionCode(rule.minimumVersion, "/requiredUpdate/minimumVersion", target)
                object["requiredUpdate"] = RuleObject.requiredUpdate(version, rule.message)
            }
            // Up to 1.3.1, an optional update, which can be skipped, comes before a blocking alert (wire formats 6.1 item 22).
            if let rule = gate.optionalUpdate, gate.blockingAlert == nil {
                let version = try PublicationCheck.versionCode(rule.optionalVersion, "/optionalUpdate/optionalVersion", target)
                object["optionalUpdate"] = RuleObject.optionalUpdate(version, rule.message)
            }
        }
        if let rule = gate.alert { object["alert"] = RuleObject.alert(rule.message, blocking: rule.blocking) }
        return object
    }
}

extension Target {
    /// Whether the versions of this target's rules are version codes. On an `android` platform with dotted versions they are not, and then
    /// no version rule may reach an Android client.
    var publishesVersionCodes: Bool { settings.versionScheme == .code }
}
