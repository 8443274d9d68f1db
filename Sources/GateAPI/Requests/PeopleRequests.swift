package import GateJSON
package import GateModel

/// Body of `POST /users`.
package struct UserRequest: APIBody, CustomStringConvertible {
    package var username: String
    package var role: Role
    /// Missing is all apps, as `null` is.
    package var apps: AppScope
    package var password: String

    package init(username: String, role: Role, apps: AppScope = .all, password: String) {
        self.username = username
        self.role = role
        self.apps = apps
        self.password = password
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A person")
        username = try reader.string("username")
        role = try reader.role("role")
        apps = try reader.scope("apps", in: json) ?? .all
        password = try reader.string("password")
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        ["username": .string(username), "role": .string(role.rawValue), "apps": apps.json, "password": .string(password)]
    }

    /// Without the password, so that one that reaches a log by mistake says nothing.
    package var description: String { "UserRequest(username: \(username))" }
}

/// Body of `PATCH /users/{user}`: what is named is replaced, the rest stays.
package struct UserPatch: APIBody, CustomStringConvertible {
    package var role: Role?
    /// `null` in the document is ``AppScope/all``; a missing member is nil.
    package var apps: AppScope?
    package var disabled: Bool?
    /// For somebody who has forgotten theirs; one's own is changed at `POST /account/password`.
    package var password: String?
    /// Only `false`: takes the second factor away from somebody who has lost it, with its recovery codes.
    package var totp: Bool?

    package init(role: Role? = nil, apps: AppScope? = nil, disabled: Bool? = nil, password: String? = nil, totp: Bool? = nil) {
        self.role = role
        self.apps = apps
        self.disabled = disabled
        self.password = password
        self.totp = totp
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A person")
        role = try reader.optionalRole("role")
        apps = try reader.scope("apps", in: json)
        disabled = try reader.optional("disabled") == nil ? nil : reader.flag("disabled")
        password = try reader.optionalString("password")
        totp = try reader.optional("totp") == nil ? nil : reader.flag("totp")
        if totp == true { throw .malformed("totp can only be taken away here; people add it themselves at /account/totp.", field: "/totp") }
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object = JSONObject()
        if let role { object["role"] = .string(role.rawValue) }
        if let apps { object["apps"] = apps.json }
        if let disabled { object["disabled"] = .bool(disabled) }
        if let password { object["password"] = .string(password) }
        if let totp { object["totp"] = .bool(totp) }
        return .object(object)
    }

    /// Without the password, so that one that reaches a log by mistake says nothing.
    package var description: String { "UserPatch(\(json.object?.names.joined(separator: ", ") ?? ""))" }
}
