package import GateJSON
package import GateModel

/// A person who may sign in, as administrators see them.
package struct PersonBody: TabledBody {
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

    package static let table = FieldTable<PersonBody>(
        answer: "Person", "A person",
        .needed("id", .integer(1...), \.id), .needed("username", .string, \.username), .needed("role", .word, \.role),
        .needed("apps", .scope, \.apps), .needed("disabled", .flag, \.disabled), .needed("totp", .flag, \.totp),
        .needed("createdAt", .time, \.createdAt), .needed("passwordChangedAt", .time, \.passwordChangedAt),
        make: PersonBody.init
    )
}
