package import GateJSON
package import GateModel

/// Answer to `GET /events?after=SEQUENCE`: the changes since then, oldest first, and a sign of life when there are none.
package struct EventsBody: APIBody {
    package var items: [Change]
    /// Of the last change: what to ask after next.
    package var sequence: Int
    package var serverTime: Timestamp
    /// Counts everything that happens to any window: another number than before means that `GET /windows` has news. Nil from a server without windows.
    package var schedule: Int?
    package var health: HealthBody
    /// True when `after` is too old, or comes from before a restore: fetch everything anew.
    package var reset: Bool

    package init(items: [Change], sequence: Int, serverTime: Timestamp, schedule: Int? = nil, health: HealthBody, reset: Bool = false) {
        self.items = items
        self.sequence = sequence
        self.serverTime = serverTime
        self.schedule = schedule
        self.health = health
        self.reset = reset
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An answer")
        items = try reader.list("items", Change.init(json:))
        sequence = try reader.integer("sequence")
        guard let time = Timestamp(try reader.string("serverTime")) else { throw .malformed("serverTime is an RFC 3339 time.", field: "/serverTime") }
        serverTime = time
        schedule = try reader.optionalInteger("schedule")
        health = try reader.document("health", HealthBody.init(json:))
        reset = try reader.flag("reset", default: false)
    }

    package var json: JSONValue {
        var object = JSONObject()
        if reset { object["reset"] = .bool(true) }
        object["items"] = .array(items.map(\.json))
        object["sequence"] = .integer(sequence)
        object["serverTime"] = .string(serverTime.description)
        if let schedule { object["schedule"] = .integer(schedule) }
        object["health"] = health.json
        return .object(object)
    }
}
