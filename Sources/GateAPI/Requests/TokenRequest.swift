package import GateJSON
package import GateModel

/// Body of `POST /tokens`.
package struct TokenRequest: TabledBody {
    /// What it is for: a machine, a pipeline.
    package var name: String
    /// At most the caller's own role, which is used if the member is missing.
    package var role: Role?
    /// At most the caller's own apps, which are used if the member is missing; `null` is all apps.
    package var apps: AppScope?
    /// At most ten years ahead; 90 days if the member is missing.
    package var expiresAt: Timestamp?

    package init(name: String, role: Role? = nil, apps: AppScope? = nil, expiresAt: Timestamp? = nil) {
        self.name = name
        self.role = role
        self.apps = apps
        self.expiresAt = expiresAt
    }

    package static let table = FieldTable<TokenRequest>(
        request: "TokenRequest",
        "A token",
        .needed("name", .string(App.nameLengths), \.name),
        .optional("role", .word, \.role),
        .present("apps", .scope, \.apps),
        .optional("expiresAt", .enteringTime, \.expiresAt),
        make: TokenRequest.init
    )
}
