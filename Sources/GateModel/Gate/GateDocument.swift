public import GateJSON

/// A gate as the JSON document of the admin API, export files and the native feed, and back.
///
/// Members stand in the order of ``Rule``, and each rule's own in the order of the design, so that equal gates have equal bytes.
extension Gate {
    public var json: JSONValue {
        var object = JSONObject()
        for rule in Rule.allCases { object[rule.rawValue] = json(of: rule) }
        return .object(object)
    }

    /// The rule's object, or nil when it is off.
    public func json(of rule: Rule) -> JSONValue? {
        var object = JSONObject()
        switch rule {
        case .killSwitch:
            guard let killSwitch else { return nil }
            object["message"] = killSwitch.message.json
            object["retryInterval"] = .integer(killSwitch.retryInterval)
            if let until = killSwitch.until { object["until"] = .string(until.description) }
            if let opening = killSwitch.opening { object["opening"] = .string(opening.description) }
        case .forceUpdate:
            guard let forceUpdate else { return nil }
            object["message"] = forceUpdate.message.json
        case .requiredUpdate:
            guard let requiredUpdate else { return nil }
            object["minimumVersion"] = .string(requiredUpdate.minimumVersion)
            if !requiredUpdate.blockedVersions.isEmpty {
                object["blockedVersions"] = .array(requiredUpdate.blockedVersions.map(JSONValue.string))
            }
            object["message"] = requiredUpdate.message.json
        case .optionalUpdate:
            guard let optionalUpdate else { return nil }
            object["optionalVersion"] = .string(optionalUpdate.optionalVersion)
            object["message"] = optionalUpdate.message.json
        case .alert:
            guard let alert else { return nil }
            object["message"] = alert.message.json
            object["blocking"] = .bool(alert.blocking)
        }
        return .object(object)
    }

    /// Reads a whole gate document, validating every rule for a platform with these settings.
    public init(json: JSONValue, settings: PlatformSettings, from source: DocumentSource = .request) throws(ModelError) {
        self.init()
        try apply(GateEdit(json: json), settings: settings, from: source)
    }

    /// Reads a gate that this program wrote itself: from the store, where the rules of the day it was written held.
    public init(stored json: JSONValue) throws(ModelError) {
        // The scheme is not known from the gate; every version code is a dotted version of one number too.
        try self.init(json: json, settings: PlatformSettings(versionScheme: .dotted), from: .kept)
    }

    /// Applies an edit: named rules are replaced or cleared, the others stay.
    /// - Throws: malformed or invalid with the field inside the edit's document; then nothing has changed.
    public mutating func apply(_ edit: GateEdit, settings: PlatformSettings, from source: DocumentSource = .request) throws(ModelError) {
        var gate = self
        for (rule, json) in edit.rules {
            do {
                try gate.set(rule, to: json, settings: settings, from: source)
            } catch {
                throw error.within("/" + rule.rawValue)
            }
        }
        self = gate
    }

    private mutating func set(_ rule: Rule, to json: JSONValue?, settings: PlatformSettings, from source: DocumentSource) throws(ModelError)
    {
        guard let json else { return clear(rule) }
        var reader = try RuleReader(json, rule: rule, from: source)
        switch rule {
        case .killSwitch:
            killSwitch = KillSwitch(
                message: try reader.message(),
                retryInterval: try reader.retryInterval(default: settings.defaultRetryInterval),
                until: try reader.time("until"),
                opening: try reader.time("opening")
            )
            try killSwitch?.checkOpening()
        case .forceUpdate:
            forceUpdate = ForceUpdate(message: try reader.message())
        case .requiredUpdate:
            let minimum = try reader.version("minimumVersion", scheme: settings.versionScheme)
            let blocked = try reader.versions("blockedVersions", scheme: settings.versionScheme)
            requiredUpdate = RequiredUpdate(minimumVersion: minimum, blockedVersions: blocked, message: try reader.message())
        case .optionalUpdate:
            let version = try reader.version("optionalVersion", scheme: settings.versionScheme)
            optionalUpdate = OptionalUpdate(optionalVersion: version, message: try reader.message())
        case .alert:
            alert = Alert(message: try reader.message(), blocking: try reader.flag("blocking"))
        }
        try reader.refuseOthers()
    }

    /// That every version of the gate is one of a scheme.
    /// - Throws: `invalid_version` (422) with the field inside the gate's document.
    public func check(versionsOf scheme: VersionScheme) throws(ModelError) {
        if let rule = requiredUpdate {
            try scheme.validate(rule.minimumVersion, field: "/requiredUpdate/minimumVersion")
            for (index, version) in rule.blockedVersions.enumerated() {
                try scheme.validate(version, field: "/requiredUpdate/blockedVersions/\(index)")
            }
        }
        if let rule = optionalUpdate { try scheme.validate(rule.optionalVersion, field: "/optionalUpdate/optionalVersion") }
    }

    /// Turns a rule off.
    public mutating func clear(_ rule: Rule) {
        switch rule {
        case .killSwitch: killSwitch = nil
        case .forceUpdate: forceUpdate = nil
        case .requiredUpdate: requiredUpdate = nil
        case .optionalUpdate: optionalUpdate = nil
        case .alert: alert = nil
        }
    }
}
