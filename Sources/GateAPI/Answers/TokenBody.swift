package import GateJSON
package import GateModel

/// An API token as it is listed: everything but its secret.
package struct TokenBody: APIBody {
    /// The public part, which stands in the token itself: `gate_{id}_…`.
    package var id: String
    package var name: String
    package var role: Role
    package var apps: AppScope
    /// The name of whose token it is; nil for the server's own (`gatehouse init --token`, or made by such a token).
    package var owner: String?
    /// The name of who made it.
    package var createdBy: String
    package var createdAt: Timestamp
    package var expiresAt: Timestamp?
    /// To within five minutes; nil when it was never used.
    package var lastUsedAt: Timestamp?
    package var revokedAt: Timestamp?
    /// Whether it opens anything now: neither revoked nor expired, and its owner neither disabled nor gone.
    package var active: Bool

    package init(
        id: String,
        name: String,
        role: Role,
        apps: AppScope,
        owner: String?,
        createdBy: String,
        createdAt: Timestamp,
        expiresAt: Timestamp?,
        lastUsedAt: Timestamp?,
        revokedAt: Timestamp?,
        active: Bool
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.apps = apps
        self.owner = owner
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
        self.active = active
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A token")
        id = try reader.string("id")
        name = try reader.string("name")
        role = try reader.role("role")
        guard let scope = try reader.scope("apps", in: json) else { throw .malformed("A token needs a member \"apps\".", field: "/apps") }
        apps = scope
        owner = try reader.optionalString("owner")
        createdBy = try reader.string("createdBy")
        createdAt = try reader.time("createdAt")
        expiresAt = try reader.optionalTime("expiresAt")
        lastUsedAt = try reader.optionalTime("lastUsedAt")
        revokedAt = try reader.optionalTime("revokedAt")
        active = try reader.flag("active")
    }

    package var json: JSONValue { .object(members) }

    fileprivate var members: JSONObject {
        func text(_ time: Timestamp?) -> JSONValue { time.map { .string($0.description) } ?? .null }
        return [
            "id": .string(id), "name": .string(name), "role": .string(role.rawValue), "apps": apps.json,
            "owner": owner.map(JSONValue.string) ?? .null, "createdBy": .string(createdBy), "createdAt": text(createdAt),
            "expiresAt": text(expiresAt), "lastUsedAt": text(lastUsedAt), "revokedAt": text(revokedAt), "active": .bool(active),
        ]
    }
}

/// Answer to `POST /tokens`: the listed members, and the token itself, which can never be read again.
package struct NewTokenBody: APIBody, CustomStringConvertible {
    /// `gate_…`, for `Authorization: Bearer`.
    package var token: String
    package var listed: TokenBody

    package init(token: String, listed: TokenBody) {
        self.token = token
        self.listed = listed
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A token")
        token = try reader.string("token")
        listed = try TokenBody(json: json)
    }

    package var json: JSONValue {
        var object: JSONObject = ["token": .string(token)]
        for (name, value) in listed.members.members { object[name] = value }
        return .object(object)
    }

    /// Without the secret, so that one that reaches a log by mistake says nothing.
    package var description: String { "NewTokenBody(\(listed.id))" }
}
