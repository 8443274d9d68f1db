import GateJSON
package import GateModel

/// LaunchGate 1.1.0 to 2.0.0 on a phone: what it does with a feed's bytes (`DefaultParser.swift`, `LaunchGate.swift`, `Memory.swift`; wire
/// formats section 1).
package enum LaunchGateClient {
    /// The parser's result for a document.
    package enum Reading: Sendable, Hashable {
        /// One malformed rule, or a missing `ios` object, makes the parser discard the whole feed; the app proceeds.
        case rejected(reason: String)
        case accepted(Rules)
    }

    package struct Rules: Sendable, Hashable {
        package struct Update: Sendable, Hashable {
            package let version: String
            package let message: String
        }

        package var requiredUpdate: Update?
        package var optionalUpdate: Update?
        package var alert: Alert?

        package struct Alert: Sendable, Hashable {
            package let message: String
            package let blocking: Bool
        }
    }

    /// What the library stores in the standard user defaults: one slot each.
    package struct Memory: Sendable, Hashable {
        /// `OPTIONAL_UPDATE`: the version of the last optional update shown.
        package var optionalUpdate: String?
        /// `LAST_ALERT`: the text of the last alert shown that was not blocking.
        package var lastAlert: String?

        package init(optionalUpdate: String? = nil, lastAlert: String? = nil) {
            self.optionalUpdate = optionalUpdate
            self.lastAlert = lastAlert
        }

        /// The dialog has appeared, which is when the library remembers it.
        package mutating func remember(_ shown: ClientDecision) {
            switch shown {
            case .optionalUpdate(let version, _): optionalUpdate = version
            case .alert(let message, blocking: false): lastAlert = message
            default: break
            }
        }
    }

    /// - Parameters:
    ///   - installed: the app's `CFBundleShortVersionString`; nil if it has none.
    ///   - platform: whose object is read: `ios`, unless the app sets another name.
    package static func decide(_ bytes: [UInt8], installed: String?, platform: PlatformKey = .ios, memory: Memory = Memory())
        -> ClientDecision
    {
        decide(read(bytes, platform: platform), installed: installed, memory: memory)
    }

    /// The same for a feed that was already read.
    static func decide(_ reading: Reading, installed: String?, memory: Memory = Memory()) -> ClientDecision {
        switch reading {
        case .rejected(let reason): .failed(reason: reason)
        case .accepted(let rules): decide(rules, installed: installed, memory: memory)
        }
    }

    /// The first rule present decides and ends the check, whether it applies or not.
    private static func decide(_ rules: Rules, installed: String?, memory: Memory) -> ClientDecision {
        if let update = rules.requiredUpdate, let installed {
            return installed < update.version ? .requiredUpdate(version: update.version, message: update.message) : .proceed
        }
        if let update = rules.optionalUpdate, let installed {
            let isNew = memory.optionalUpdate != update.version
            return isNew && installed < update.version ? .optionalUpdate(version: update.version, message: update.message) : .proceed
        }
        if let alert = rules.alert, alert.blocking || memory.lastAlert != alert.message {
            return .alert(message: alert.message, blocking: alert.blocking)
        }
        return .proceed
    }

    package static func read(_ bytes: [UInt8], platform name: PlatformKey = .ios) -> Reading {
        guard let document = AppleJSON.read(bytes) else { return .rejected(reason: "not JSON") }
        guard let root = document.object else { return .rejected(reason: "the root is \(document.kindInWords)") }
        guard let platform = root[name.text] else { return .rejected(reason: "there is no \"\(name)\"") }
        var rules = Rules()
        // Anything but an object counts as present, without rules.
        guard let object = platform.object else { return .accepted(rules) }
        if let alert = object["alert"]?.object {
            guard let message = alert["message"]?.string, let blocking = AppleJSON.flag(alert["blocking"]) else {
                return .rejected(reason: "the alert is malformed")
            }
            if !message.isEmpty { rules.alert = Rules.Alert(message: message, blocking: blocking) }
        }
        if let update = object["optionalUpdate"]?.object {
            guard let version = update["optionalVersion"]?.string, let message = update["message"]?.string else {
                return .rejected(reason: "the optional update is malformed")
            }
            if !version.isEmpty, !message.isEmpty { rules.optionalUpdate = Rules.Update(version: version, message: message) }
        }
        if let update = object["requiredUpdate"]?.object {
            guard let version = update["minimumVersion"]?.string, let message = update["message"]?.string else {
                return .rejected(reason: "the required update is malformed")
            }
            if !version.isEmpty, !message.isEmpty { rules.requiredUpdate = Rules.Update(version: version, message: message) }
        }
        return .accepted(rules)
    }
}
