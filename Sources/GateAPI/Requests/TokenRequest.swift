package import GateJSON
package import GateModel

/// Body of `POST /tokens`.
package struct TokenRequest: APIBody {
    /// What it is for: a machine, a pipeline. 1 to 100 characters on one line.
    package var name: String
    /// At most the caller's own, which it is where the member is missing.
    package var role: Role?
    /// At most the caller's own, which they are where the member is missing; `null` is all apps.
    package var apps: AppScope?
    /// At most ten years ahead; 90 days where the member is missing.
    package var expiresAt: Timestamp?

    package init(name: String, role: Role? = nil, apps: AppScope? = nil, expiresAt: Timestamp? = nil) {
        self.name = name
        self.role = role
        self.apps = apps
        self.expiresAt = expiresAt
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A token")
        name = try reader.string("name")
        role = try reader.optionalRole("role")
        apps = try reader.scope("apps", in: json)
        expiresAt = try reader.optionalRequestedTime("expiresAt")
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object: JSONObject = ["name": .string(name)]
        if let role { object["role"] = .string(role.rawValue) }
        if let apps { object["apps"] = apps.json }
        if let expiresAt { object["expiresAt"] = .string(expiresAt.description) }
        return .object(object)
    }
}
