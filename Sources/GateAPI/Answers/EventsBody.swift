package import GateJSON
package import GateModel

/// Answer to `GET /events?after=SEQUENCE`: the changes since then, oldest first, and a sign of life when there are none.
package struct EventsBody: TabledBody {
    package var items: [Change]
    /// The sequence of the last change: the next `after`.
    package var sequence: Int
    package var serverTime: Timestamp
    /// Counts everything that happens to any window: when the number has changed, `GET /windows` has news. Nil from a server without
    /// windows.
    package var schedule: Int?
    package var health: Health
    /// True when `after` is too old, or comes from before a restore: fetch everything again.
    package var reset: Bool

    package init(items: [Change], sequence: Int, serverTime: Timestamp, schedule: Int? = nil, health: Health, reset: Bool = false) {
        self.items = items
        self.sequence = sequence
        self.serverTime = serverTime
        self.schedule = schedule
        self.health = health
        self.reset = reset
    }

    package static let table = FieldTable<EventsBody>(
        answer: "Events",
        "An answer",
        .optional("reset", .flag, \.reset, standard: false),
        .needed("items", .list(of: .body), \.items),
        .needed("sequence", .integer(0...), \.sequence),
        .needed("serverTime", .time, \.serverTime),
        .optional("schedule", .integer(0...), \.schedule),
        .needed("health", .body, \.health)
    ) { reset, items, sequence, serverTime, schedule, health in
        EventsBody(items: items, sequence: sequence, serverTime: serverTime, schedule: schedule, health: health, reset: reset)
    }
}
