package import GateJSON
package import GateModel

/// An API token as it is listed: everything but its secret.
package struct TokenBody: TabledBody {
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

    package static let table = FieldTable<TokenBody>(
        answer: "Token", "A token",
        .needed("id", .string(8...8, pattern: "^[a-z0-9]{8}$"), \.id), .needed("name", .string, \.name),
        .needed("role", .word, \.role), .needed("apps", .scope, \.apps), .nullable("owner", .string, \.owner),
        .needed("createdBy", .string, \.createdBy), .needed("createdAt", .time, \.createdAt),
        .nullable("expiresAt", .time, \.expiresAt), .nullable("lastUsedAt", .time, \.lastUsedAt),
        .nullable("revokedAt", .time, \.revokedAt), .needed("active", .flag, \.active),
        make: TokenBody.init
    )
}

/// Answer to `POST /tokens`: the listed members, and the token itself, which can never be read again.
package struct NewTokenBody: TabledBody, CustomStringConvertible {
    /// `gate_…`, for `Authorization: Bearer`.
    package var token: String
    package var listed: TokenBody

    package init(token: String, listed: TokenBody) {
        self.token = token
        self.listed = listed
    }

    package static let table = FieldTable<NewTokenBody>(
        answer: "NewToken", "A token",
        .needed("token", .string(63...63, pattern: "^gate_[a-z0-9]{8}_"), \.token), .inlined(TokenBody.table, \.listed),
        make: NewTokenBody.init
    )

    /// Without the secret, so that one that reaches a log by mistake says nothing.
    package var description: String { "NewTokenBody(\(listed.id))" }
}
