public import GateJSON

/// A simulation as the JSON document of the admin API, and back.
extension Simulation {
    public var json: JSONValue {
        var document: JSONObject = [
            "app": .string(target.app.text),
            "platform": .string(target.platform.text),
            "revision": .integer(revision),
            "client": .string(client.rawValue),
            "clients": .array(clients.map { .string($0.rawValue) }),
            "version": .string(version),
            "at": .string(at.description),
            "seen": .bool(seen),
            "outcome": .string(outcome.rawValue),
            "letsIn": .bool(letsIn),
            "rule": rule.map { .string($0.rawValue) } ?? .null,
            "presentation": .string(presentation.rawValue),
            "title": title.map(JSONValue.string) ?? .null,
            "message": message.map(JSONValue.string) ?? .null,
            "buttons": .array(buttons.map(JSONValue.string)),
            "retryInterval": retryInterval.map(JSONValue.integer) ?? .null,
            "detail": .string(detail),
            "hidden": .array(hidden.map { ["rule": .string($0.rule.rawValue), "detail": .string($0.detail)] }),
            "feed": .string(feed),
        ]
        if let release { document["release"] = .string(release.rawValue) }
        return .object(document)
    }

    /// Reads what ``json`` wrote, leaving out members, libraries and rules that a newer writer added.
    /// - Throws: malformed (400) with the pointer of what is missing or of another type.
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A simulation")
        guard let at = Timestamp(try reader.string("at")) else { throw .malformed("at is an RFC 3339 time.", field: "/at") }
        let rule = try reader.optionalString("rule")
        let hidden = try reader.optionalList("hidden") { json throws(ModelError) -> Hidden? in
            var reader = try ObjectReader(json, "A hidden rule")
            let detail = try reader.string("detail")
            return Rule(rawValue: try reader.string("rule")).map { Hidden(rule: $0, detail: detail) }
        }
        self.init(
            target: try TargetKey(reading: &reader),
            revision: try reader.integer("revision"),
            client: try reader.word("client"),
            release: try reader.optionalString("release").flatMap(GandalfRelease.init(rawValue:)),
            clients: try reader.strings("clients").compactMap(ClientLibrary.init(rawValue:)),
            version: try reader.string("version"),
            at: at,
            seen: try reader.flag("seen"),
            outcome: try reader.word("outcome"),
            letsIn: try reader.flag("letsIn"),
            rule: rule.flatMap(Rule.init(rawValue:)),
            presentation: try reader.word("presentation"),
            title: try reader.optionalString("title"),
            message: try reader.optionalString("message"),
            buttons: try reader.strings("buttons"),
            retryInterval: try reader.optionalInteger("retryInterval"),
            detail: try reader.string("detail"),
            hidden: (hidden ?? []).compactMap { $0 },
            feed: try reader.string("feed")
        )
    }
}
