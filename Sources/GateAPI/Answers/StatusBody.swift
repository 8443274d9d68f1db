package import GateJSON
package import GateModel

/// Answer to `GET /status`: which server this is and how it is.
package struct StatusBody: TabledBody {
    package var environment: Environment
    /// Of the server program.
    package var version: String
    /// Clients show ages by this clock and not by their own.
    package var serverTime: Timestamp
    /// Of the last change; 0 when there is none.
    package var sequence: Int
    package var health: HealthBody
    /// The port on which phones poll, so that a dashboard can show whole addresses; nil when it is not known.
    package var feedsPort: Int?

    package init(
        environment: Environment,
        version: String,
        serverTime: Timestamp,
        sequence: Int,
        health: HealthBody,
        feedsPort: Int? = nil
    ) {
        self.environment = environment
        self.version = version
        self.serverTime = serverTime
        self.sequence = sequence
        self.health = health
        self.feedsPort = feedsPort
    }

    package static let table = FieldTable<StatusBody>(
        answer: "Status", "A status",
        .needed("environment", .document, \.environment), .needed("version", .string, \.version),
        .needed("serverTime", .time, \.serverTime), .needed("sequence", .integer(0...), \.sequence),
        .needed("health", .body, \.health), .optional("feedsPort", .integer(1...65_535), \.feedsPort),
        make: StatusBody.init
    )
}

/// How the server is.
package struct HealthBody: TabledBody {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case ok, degraded, starting
    }

    package var state: State
    /// One sentence for each thing that is wrong.
    package var reasons: [String]
    /// One sentence for each thing about the way to the server that somebody should mend; it is well all the same.
    package var notices: [String]

    package init(state: State, reasons: [String] = [], notices: [String] = []) {
        self.state = state
        self.reasons = reasons
        self.notices = notices
    }

    package static let ok = HealthBody(state: .ok)

    package static let table = FieldTable<HealthBody>(
        answer: "Health", "A state of health",
        .needed("state", state, \.state), .needed("reasons", .list(of: .string), \.reasons),
        .optional("notices", .list(of: .string), \.notices, standard: []),
        make: HealthBody.init
    )

    /// A word that this version does not know is not "ok".
    private static let state = JSONCodec<State>(.word(State.allCases.map(\.rawValue))) { value, _ in
        value.string.flatMap(State.init(rawValue:)) ?? .degraded
    } write: { .string($0.rawValue) }
}
