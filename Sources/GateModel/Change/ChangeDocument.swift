public import GateJSON

/// A change as the JSON document of the admin API and of the history's hash chain.
extension Change {
    public var json: JSONValue {
        var object: JSONObject = [
            "sequence": .integer(sequence),
            "at": .string(at.description),
            "actor": actor.json,
            "source": .string(source.rawValue),
            "kind": .string(kind.rawValue),
            "reason": reason.map(JSONValue.string) ?? .null,
            "requestId": .string(requestId),
        ]
        if let app { object["app"] = .string(app.text) }
        object["targets"] = .array(targets.map(\.json))
        if skipped > 0 { object["skipped"] = ["from": .integer(previousSequence + 1), "to": .integer(sequence - 1)] }
        if omitted > 0 { object["omitted"] = .integer(omitted) }
        if let fault { object["unreadable"] = .string(fault) }
        return .object(object)
    }
}

extension ChangedTarget {
    public var json: JSONValue {
        var object: JSONObject = [
            "app": .string(target.app.text),
            "platform": .string(target.platform.text),
            "previous": .integer(previous),
            "revision": .integer(revision),
            "before": before.json,
            "after": after.json,
        ]
        if let settings {
            object["settings"] = ["before": settings.before?.json ?? .null, "after": settings.after?.json ?? .null]
        }
        var hashes = JSONObject()
        for name in FeedName.allCases { hashes[name.rawValue] = feeds[name].map(JSONValue.string) }
        object["feeds"] = .object(hashes)
        if let fault { object["unreadable"] = .string(fault) }
        return .object(object)
    }

    /// UTF-8 bytes of the document, with its digests also where there are none yet.
    public var bytes: Int {
        // A name and 64 digits, both in quotes, a colon and a comma.
        json.bytes.count + (feeds.isEmpty ? FeedName.allCases.reduce(0) { $0 + $1.rawValue.utf8.count + 70 } : 0)
    }

    /// Reads a changed target back from its own ``json``.
    public init(stored json: JSONValue) throws(ModelError) {
        guard let object = json.object, let app = object["app"]?.string.flatMap(AppKey.init(_:)),
            let platform = object["platform"]?.string.flatMap(PlatformKey.init(_:)),
            let previous = object["previous"]?.integer, let revision = object["revision"]?.integer,
            let before = object["before"], let after = object["after"]
        else { throw .malformed("A stored change names no target.") }
        var feeds: [FeedName: String] = [:]
        for (name, hash) in object["feeds"]?.object?.members ?? [] {
            if let name = FeedName(rawValue: name) { feeds[name] = hash.string }
        }
        var settings: SettingsChange?
        if let both = object["settings"]?.object {
            settings = SettingsChange(
                before: try Self.settings(both["before"], platform),
                after: try Self.settings(both["after"], platform)
            )
        }
        self.init(
            target: TargetKey(app: app, platform: platform),
            previous: previous,
            revision: revision,
            before: try Gate(stored: before),
            after: try Gate(stored: after),
            settings: settings,
            feeds: feeds
        )
    }

    private static func settings(_ json: JSONValue?, _ platform: PlatformKey) throws(ModelError) -> PlatformSettings? {
        guard let json, !json.isNull else { return nil }
        var settings = PlatformSettings.standard(for: platform)
        try settings.apply(json: json, from: .kept)
        return settings
    }
}
