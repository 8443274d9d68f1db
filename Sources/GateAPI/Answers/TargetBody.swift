package import GateJSON
package import GateModel

/// A target as the admin API shows it: how it stands, where its feeds are, and the change that made it so.
package struct TargetBody: APIBody {
    package var target: Target
    /// The state in the server's own word; it counts where a newer server knows a rule that this version does not.
    package var state: GateState
    /// The path of each feed on both listeners.
    package var feeds: [FeedName: String]
    /// Nil only where the history does not hold it any more.
    package var lastChange: Change?
    /// How far the present revision has come; nil where nobody has polled, and in lists.
    package var reach: ReachBody?

    package init(_ target: Target, lastChange: Change?, reach: ReachBody? = nil) {
        self.target = target
        state = target.gate.state
        feeds = Dictionary(uniqueKeysWithValues: FeedName.allCases.map { ($0, $0.path(for: target.key)) })
        self.lastChange = lastChange
        self.reach = reach
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A target")
        let key = try TargetKey(reading: &reader)
        let stateText = try reader.string("state")
        guard let state = GateState(rawValue: stateText) else {
            throw .malformed("There is no state \(JSONValue.string(stateText).text).", field: "/state")
        }
        guard let since = Timestamp(try reader.string("since")) else { throw .malformed("since is an RFC 3339 time.", field: "/since") }
        let lastChange = try reader.optionalDocument("lastChange", Change.init(json:))
        reach = try reader.optionalDocument("reach", ReachBody.init(json:))
        self.state = state
        self.lastChange = lastChange
        target = Target(
            key: key,
            settings: try reader.document("settings", PlatformSettings.init(lenient:)),
            gate: try reader.document("gate", Gate.init(lenient:)),
            revision: try reader.integer("revision"),
            sequence: try reader.integer("sequence"),
            since: since,
            changedAt: lastChange?.at ?? since
        )
        feeds = [:]
        for (name, path) in reader.optional("feeds")?.object?.members ?? [] {
            if let name = FeedName(rawValue: name) { feeds[name] = path.string }
        }
    }

    package var json: JSONValue {
        var paths = JSONObject()
        for name in FeedName.allCases { paths[name.rawValue] = feeds[name].map(JSONValue.string) }
        var object: JSONObject = [
            "app": .string(target.key.app.text),
            "platform": .string(target.key.platform.text),
            "revision": .integer(target.revision),
            "sequence": .integer(target.sequence),
            "state": .string(state.rawValue),
            "since": .string(target.since.description),
            "gate": target.gate.json,
            "settings": target.settings.json,
            "feeds": .object(paths),
            "lastChange": lastChange?.json ?? .null,
        ]
        if let reach { object["reach"] = reach.json }
        return .object(object)
    }
}
