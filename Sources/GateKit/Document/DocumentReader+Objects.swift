import GateJSON
import GateModel

/// Bellerophon's status, and the objects that LaunchGate and Gandalf read.
extension DocumentReader {
    /// - Throws: `malformed` if neither flag can be read: then nothing is known.
    mutating func readStatus(_ root: JSONObject, into contents: inout Contents) throws(GateKitError) {
        let inactive = flag(root["apiInactive"], "/apiInactive")
        let forced = flag(root["forceUpdate"], "/forceUpdate")
        guard inactive != nil || forced != nil else {
            throw GateKitError(.malformed, "The status has neither a flag apiInactive nor a flag forceUpdate.")
        }
        contents.retryInterval = interval(root["retryInterval"], "/retryInterval")
        var message = ""
        switch root["userMessage"] {
        case nil, .null: break
        case .string(let text): message = text
        case let other?: note("/userMessage", "is \(other.kindInWords), not a text")
        }
        if inactive == true { contents.gate.killSwitch = KillSwitch(message: .text(message), retryInterval: contents.retryInterval) }
        if forced == true { contents.gate.forceUpdate = ForceUpdate(message: .text(message)) }
    }

    mutating func readObject(_ object: JSONObject, of platform: String, into contents: inout Contents) {
        let path = "/" + platform
        let isCode = platform == "android"
        if let rule = rule("requiredUpdate", of: object, path) {
            let at = path + "/requiredUpdate"
            let version = version(rule["minimumVersion"], at + "/minimumVersion", isCode: isCode)
            let text = text(rule["message"], at + "/message")
            if let version, let text { contents.gate.requiredUpdate = RequiredUpdate(minimumVersion: version, message: .text(text)) }
        }
        if let rule = rule("optionalUpdate", of: object, path) {
            let at = path + "/optionalUpdate"
            let version = version(rule["optionalVersion"], at + "/optionalVersion", isCode: isCode)
            let text = text(rule["message"], at + "/message")
            if let version, let text { contents.gate.optionalUpdate = OptionalUpdate(optionalVersion: version, message: .text(text)) }
        }
        if let rule = rule("alert", of: object, path) {
            let text = text(rule["message"], path + "/alert/message")
            let blocking = blocking(rule["blocking"], path + "/alert/blocking")
            if let text, let blocking { contents.gate.alert = Alert(message: .text(text), blocking: blocking) }
        }
    }

    private mutating func rule(_ name: String, of object: JSONObject, _ path: String) -> JSONObject? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let rule = value.object else {
            note("\(path)/\(name)", "is \(value.kindInWords), not an object")
            return nil
        }
        return rule
    }
}
