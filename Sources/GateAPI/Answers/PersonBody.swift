package import GateJSON
package import GateModel

/// A person who may sign in, as administrators see them.
package struct PersonBody: APIBody {
    /// Given once, never used again; stands for the name in `/users/{user}`.
    package var id: Int
    package var username: String
    package var role: Role
    package var apps: AppScope
    package var disabled: Bool
    /// Whether signing in takes a code of an authenticator.
    package var totp: Bool
    package var createdAt: Timestamp
    package var passwordChangedAt: Timestamp

    package init(
        id: Int,
        username: String,
        role: Role,
        apps: AppScope,
        disabled: Bool,
        totp: Bool,
        createdAt: Timestamp,
        passwordChangedAt: Timestamp
    ) {
        self.id = id
        self.username = username
        self.role = role
        self.apps = apps
        self.disabled = disabled
        self.totp = totp
        self.createdAt = createdAt
        self.passwordChangedAt = passwordChangedAt
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A person")
        id = try reader.integer("id")
        username = try reader.string("username")
        role = try reader.role("role")
        guard let scope = try reader.scope("apps", in: json) else { throw .malformed("A person needs a member \"apps\".", field: "/apps") }
        apps = scope
        disabled = try reader.flag("disabled")
        totp = try reader.flag("totp")
        createdAt = try reader.time("createdAt")
        passwordChangedAt = try reader.time("passwordChangedAt")
    }

    package var json: JSONValue {
        [
            "id": .integer(id), "username": .string(username), "role": .string(role.rawValue), "apps": apps.json,
            "disabled": .bool(disabled),
            "totp": .bool(totp), "createdAt": .string(createdAt.description), "passwordChangedAt": .string(passwordChangedAt.description),
        ]
    }
}
