package import GateJSON
import GateModel

/// Who is signed in: answer to `POST /session` and `GET /session`.
package struct SessionBody: TabledBody, CustomStringConvertible {
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

    package static let table = FieldTable<SessionBody>(
        answer: "Session", "A session",
        .needed("user", .body, \.user), .needed("csrf", .string, \.csrf), .nullable("expiresAt", .time, \.expiresAt),
        make: SessionBody.init
    )

    /// Without the CSRF token, so that one that reaches a log by mistake says nothing.
    package var description: String { "SessionBody(\(user.username))" }
}

/// A person, or the token that stands for one.
package struct UserBody: TabledBody {
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

    package static let table = FieldTable<UserBody>(
        answer: "User", "A user",
        .needed("username", .string, \.username), .needed("role", .word, \.role),
        .nullable("apps", .list(of: JSONCodec.string.described(as: .appKey)), \.apps),
        make: UserBody.init
    )
}

/// Answer to `GET /setup`: whether the first administrator is still missing.
package struct SetupStateBody: TabledBody {
    package var needed: Bool

    package init(needed: Bool) { self.needed = needed }

    package static let table = FieldTable<SetupStateBody>(
        answer: "SetupState", "A state of set-up",
        .needed("needed", .flag, \.needed),
        make: SetupStateBody.init
    )
}
