package import GateJSON
package import GateModel

/// Answer to `GET /status`: which server this is and how it is.
package struct StatusBody: TabledBody {
    package var environment: Environment
    /// The version of the server program.
    package var version: String
    /// Clients show ages by this clock and not by their own.
    package var serverTime: Timestamp
    /// The sequence of the last change; 0 when there is none.
    package var sequence: Int
    package var health: Health
    /// The port on which phones poll, so that a dashboard can show whole addresses; nil when it is not known.
    package var feedsPort: Int?
    /// All servers that share the database, including this one; empty where there is only one.
    package var servers: [SharedServer]

    package init(
        environment: Environment,
        version: String,
        serverTime: Timestamp,
        sequence: Int,
        health: Health,
        feedsPort: Int? = nil,
        servers: [SharedServer] = []
    ) {
        self.environment = environment
        self.version = version
        self.serverTime = serverTime
        self.sequence = sequence
        self.health = health
        self.feedsPort = feedsPort
        self.servers = servers
    }

    package static let table = FieldTable<StatusBody>(
        answer: "Status",
        "A status",
        .needed("environment", .document, \.environment),
        .needed("version", .string, \.version),
        .needed("serverTime", .time, \.serverTime),
        .needed("sequence", .integer(0...), \.sequence),
        .needed("health", .body, \.health),
        .optional("feedsPort", .integer(1...65_535), \.feedsPort),
        .optional("servers", .list(of: .body), \.servers, standard: []),
        make: StatusBody.init
    )
}
