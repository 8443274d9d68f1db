/// What the names in a file suggest, given the names around them.
///
/// A name such as `enabled` says nothing by itself: within `maintenance` it means that everybody is blocked, at the top that nobody is, and
/// within `ads` nothing about the gate.
enum TakeoverNames {
    /// What a value is a part of.
    enum Surroundings: Sendable, Hashable {
        /// The whole file, or wrappers and platforms in it.
        case neutral
        /// Something that says of itself which rule it is about.
        case kill, force, required, optional
        /// Something else, such as a feature or an element of a list.
        case other
    }

    /// What a name suggests.
    struct Suggestion: Sendable, Hashable {
        let word: TakeoverMeaning.Word
        let isInverted: Bool
        /// How far the name and what is around it speak for themselves; the lowest speaks most clearly.
        let rank: Int
    }

    /// A name without its separators and capitals: `min_version`, `minVersion` and `MIN-VERSION` are the same.
    static func bare(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// What a value's name suggests.
    /// - Parameter name: bare, as all names here.
    static func suggestion(_ name: String, in surroundings: Surroundings) -> Suggestion? {
        if surroundings == .optional, explicit[name] == .minimumVersion {
            // The least version that is not offered the update.
            return Suggestion(word: .optionalVersion, isInverted: false, rank: 1)
        }
        if let word = explicit[name] {
            return Suggestion(word: word, isInverted: false, rank: surroundings == .other ? 4 : 0)
        }
        if let word = within[surroundings]?[name] {
            return Suggestion(word: word, isInverted: false, rank: surroundings == .neutral ? 2 : 1)
        }
        guard surroundings == .neutral, inverted.contains(name) else { return nil }
        return Suggestion(word: .kill, isInverted: true, rank: 3)
    }

    /// What the members of an object are a part of.
    /// - Parameters:
    ///   - name: the object's.
    ///   - members: their names.
    static func surroundings(_ name: String, of members: some Sequence<String>, in outer: Surroundings) -> Surroundings {
        guard outer == .neutral else { return .other }
        if wrappers.contains(name) { return .neutral }
        if optionals.contains(name) { return .optional }
        let suggested = Set(members.compactMap { explicit[$0] ?? versionWords[$0] })
        let isForced = explicit[name] == .force
        if isForced || updates.contains(name) {
            // Whoever is forced to update only below a version is not everybody.
            if suggested.contains(.minimumVersion) { return .required }
            if isForced { return .force }
            return suggested.contains(.optionalVersion) ? .optional : .other
        }
        return explicit[name] == .kill || states.contains(name) ? .kill : .other
    }

    /// Names that mean the same wherever they are.
    private static let explicit: [String: TakeoverMeaning.Word] = table([
        (.kill, ["maintenance", "maintenancemode", "inmaintenance", "ismaintenance", "killswitch", "apiinactive"]),
        (.killMessage, ["maintenancemessage", "maintenancetext"]),
        (.force, ["forceupdate", "forcedupdate", "mustupdate", "updaterequired"]),
        (.forceMessage, ["forcemessage", "forceupdatemessage"]),
        (.minimumVersion, ["minversion", "minimumversion", "requiredversion", "minsupportedversion", "minbuild", "minversioncode"]),
        (.requiredMessage, ["updatemessage", "requiredmessage"]),
        (.optionalVersion, ["latestversion", "recommendedversion", "optionalversion", "latestbuild"]),
        (.optionalMessage, ["optionalmessage", "latestmessage"]),
        (.alertMessage, ["alertmessage"]),
        (.storeURL, ["storeurl", "updateurl", "appstoreurl", "downloadurl"]),
        (.retryInterval, ["retryinterval", "retryafter"]),
    ])

    /// Names that mean something only within these surroundings.
    private static let within: [Surroundings: [String: TakeoverMeaning.Word]] = [
        .neutral: table([(.kill, states), (.killMessage, texts), (.alertMessage, notices), (.retryInterval, ["interval"])])
            .merging(versionWords) { one, _ in one },
        .kill: table([(.kill, switches + states), (.killMessage, texts), (.retryInterval, ["interval"])]),
        .force: table([(.force, switches), (.forceMessage, texts)]),
        .required: table([(.required, switches), (.requiredMessage, texts)]).merging(versionWords) { one, _ in one },
        .optional: table([(.optional, switches), (.optionalMessage, texts)]).merging(versionWords) { one, _ in one },
    ]

    private static let versionWords = table([(.minimumVersion, ["minimum"]), (.optionalVersion, ["latest", "currentversion"])])
    private static let states = ["blocked", "down", "offline", "kill"]
    private static let switches = ["enabled", "active", "isenabled", "isactive", "on"]
    private static let texts = ["message", "text", "userinfo", "reason"]
    private static let notices = ["notice", "banner", "announcement"]
    /// Names that mean that the app may be used.
    private static let inverted: Set = ["available", "active", "enabled", "online", "apiactive"]
    private static let updates: Set = ["update", "updates", "appupdate", "version", "versions", "appversion", "requiredupdate"]
    private static let optionals: Set = ["optionalupdate", "softupdate", "recommendedupdate"]
    /// Names that are around a whole file, or around all that it says about a platform.
    private static let wrappers: Set = [
        "data", "app", "application", "config", "configuration", "appconfig", "remoteconfig", "settings", "status", "appstatus", "state",
        "result", "response", "payload", "attributes", "body", "content", "api", "service", "server", "backend", "system", "mobile",
        "global",
        "general", "platforms", "gate",
    ]

    private static func table(_ rows: [(TakeoverMeaning.Word, [String])]) -> [String: TakeoverMeaning.Word] {
        Dictionary(uniqueKeysWithValues: rows.flatMap { word, names in names.map { ($0, word) } })
    }
}
