package import GateJSON
import GateModel

/// Who is signed in: answer to `POST /session` and `GET /session`.
package struct SessionBody: APIBody, CustomStringConvertible {
    package var user: UserBody
    /// What every writing request of this session must carry in `X-Gatehouse-CSRF`; empty for a bearer token, which needs none.
    package var csrf: String
    /// When the session ends; nil for a bearer token that does not expire.
    package var expiresAt: Timestamp?

    package init(user: UserBody, csrf: String, expiresAt: Timestamp?) {
        self.user = user
        self.csrf = csrf
        self.expiresAt = expiresAt
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A session")
        user = try reader.document("user", UserBody.init(json:))
        csrf = try reader.optionalString("csrf") ?? ""
        expiresAt = try reader.optionalString("expiresAt").map { text throws(ModelError) in
            guard let time = Timestamp(text) else { throw .malformed("expiresAt is an RFC 3339 time.", field: "/expiresAt") }
            return time
        }
    }

    package var json: JSONValue {
        ["user": user.json, "csrf": .string(csrf), "expiresAt": expiresAt.map { .string($0.description) } ?? .null]
    }

    /// Without the CSRF token, so that one that reaches a log by mistake says nothing.
    package var description: String { "SessionBody(\(user.username))" }
}

/// A person, or the token that stands for one.
package struct UserBody: APIBody {
    package enum Role: String, Sendable, Hashable, CaseIterable, Comparable {
        case viewer
        case operatorRole = "operator"
        case admin

        package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    package var username: String
    package var role: Role
    /// The keys of the apps that the user may change; nil for all.
    package var apps: [String]?

    package init(username: String, role: Role, apps: [String]?) {
        self.username = username
        self.role = role
        self.apps = apps
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A user")
        username = try reader.string("username")
        let roleText = try reader.string("role")
        guard let role = Role(rawValue: roleText) else {
            throw .malformed("There is no role \(JSONValue.string(roleText).text).", field: "/role")
        }
        self.role = role
        apps = try reader.optional("apps") == nil ? nil : reader.strings("apps")
    }

    package var json: JSONValue {
        ["username": .string(username), "role": .string(role.rawValue), "apps": apps.map { .array($0.map(JSONValue.string)) } ?? .null]
    }
}

/// Answer to `GET /setup`: whether the first administrator is still missing.
package struct SetupStateBody: APIBody {
    package var needed: Bool

    package init(needed: Bool) { self.needed = needed }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A state of set-up")
        needed = try reader.flag("needed")
    }

    package var json: JSONValue { ["needed": .bool(needed)] }
}
