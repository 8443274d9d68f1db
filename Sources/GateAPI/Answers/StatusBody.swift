package import GateJSON
import GateModel

/// Answer to `GET /status`: which server this is and how it is.
package struct StatusBody: APIBody {
    package var environment: EnvironmentBody
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
        environment: EnvironmentBody,
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

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A status")
        environment = try reader.document("environment", EnvironmentBody.init(json:))
        version = try reader.string("version")
        guard let time = Timestamp(try reader.string("serverTime")) else {
            throw .malformed("serverTime is an RFC 3339 time.", field: "/serverTime")
        }
        serverTime = time
        sequence = try reader.integer("sequence")
        health = try reader.document("health", HealthBody.init(json:))
        feedsPort = try reader.optionalInteger("feedsPort")
    }

    package var json: JSONValue {
        var object: JSONObject = [
            "environment": environment.json, "version": .string(version), "serverTime": .string(serverTime.description),
            "sequence": .integer(sequence), "health": health.json,
        ]
        if let feedsPort { object["feedsPort"] = .integer(feedsPort) }
        return .object(object)
    }
}

/// One server is one environment.
package struct EnvironmentBody: APIBody {
    package var name: String
    /// A colour's name, for the bar over the dashboard.
    package var colour: String
    /// True where keeping people out wants a reason and a typed confirmation.
    package var isProtected: Bool

    package init(name: String, colour: String, isProtected: Bool) {
        self.name = name
        self.colour = colour
        self.isProtected = isProtected
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An environment")
        name = try reader.string("name")
        colour = try reader.string("colour")
        isProtected = try reader.flag("protected")
    }

    package var json: JSONValue { ["name": .string(name), "colour": .string(colour), "protected": .bool(isProtected)] }
}

/// How the server is.
package struct HealthBody: APIBody {
    package enum State: String, Sendable, Hashable {
        case ok, degraded, starting
    }

    package var state: State
    /// One sentence for each thing that is wrong.
    package var reasons: [String]

    package init(state: State, reasons: [String] = []) {
        self.state = state
        self.reasons = reasons
    }

    package static let ok = HealthBody(state: .ok)

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A state of health")
        // A word that this version does not know is not "ok".
        state = State(rawValue: try reader.string("state")) ?? .degraded
        reasons = try reader.strings("reasons")
    }

    package var json: JSONValue { ["state": .string(state.rawValue), "reasons": .array(reasons.map(JSONValue.string))] }
}
