package import GateJSON
package import GateModel

/// Body of `POST /users`.
package struct UserRequest: TabledBody, CustomStringConvertible {
    package var username: String
    package var role: Role
    /// A missing member means all apps, as `null` does.
    package var apps: AppScope
    /// Missing for somebody who will set their own, with the invitation in the answer.
    package var password: String?

    package init(username: String, role: Role, apps: AppScope = .all, password: String? = nil) {
        self.username = username
        self.role = role
        self.apps = apps
        self.password = password
    }

    package static let table = FieldTable<UserRequest>(
        request: "UserRequest",
        "A person",
        .needed("username", .string(Username.lengths, pattern: Username.pattern), \.username),
        .needed("role", .word, \.role),
        .optional("apps", .scope, \.apps, standard: .all, isTold: true),
        .optional("password", .string(Password.lengths), \.password),
        make: UserRequest.init
    )

    /// Without the password, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "UserRequest(username: \(username))" }
}

/// Body of `PATCH /users/{user}`: what is named is replaced, the rest stays.
package struct UserPatch: TabledBody, CustomStringConvertible {
    package var role: Role?
    /// `null` in the document is ``AppScope/all``; a missing member is nil.
    package var apps: AppScope?
    package var disabled: Bool?
    /// For somebody who has forgotten theirs; one's own is changed at `POST /account/password`.
    package var password: String?
    /// Only `false`: removes the second factor, with its recovery codes, of somebody who has lost it.
    package var totp: Bool?

    package init(role: Role? = nil, apps: AppScope? = nil, disabled: Bool? = nil, password: String? = nil, totp: Bool? = nil) {
        self.role = role
        self.apps = apps
        self.disabled = disabled
        self.password = password
        self.totp = totp
    }

    package static let table = FieldTable<UserPatch>(
        request: "UserPatch",
        "A person",
        .optional("role", .word, \.role),
        .present("apps", .scope, \.apps),
        .optional("disabled", .flag, \.disabled),
        .optional("password", .string(Password.lengths), \.password),
        .optional("totp", removal, \.totp),
        make: UserPatch.init
    )

    private static let removal = JSONCodec<Bool>(.onlyFalse) { value, name throws(ModelError) in
        guard try !JSONCodec.flag.read(value, name) else {
            throw .malformed("totp can only be removed here; people add it themselves at /account/totp.")
        }
        return false
    } write: {
        .bool($0)
    }

    /// Without the password, so that nothing leaks if this reaches a log by mistake.
    package var description: String { "UserPatch(\(json.object?.names.joined(separator: ", ") ?? ""))" }
}
