package import GateJSON
package import GateModel

extension ListedToken: TabledBody {
    package static let table = FieldTable<ListedToken>(
        answer: "Token",
        "A token",
        .needed("id", .string(8...8, pattern: "^[a-z0-9]{8}$"), \.id),
        .needed("name", .string, \.name),
        .needed("role", .word, \.role),
        .needed("apps", .scope, \.scope),
        .nullable("owner", .string, \.owner),
        .needed("createdBy", .string, \.createdBy),
        .needed("createdAt", .time, \.createdAt),
        .nullable("expiresAt", .time, \.expiresAt),
        .nullable("lastUsedAt", .time, \.lastUsedAt),
        .nullable("revokedAt", .time, \.revokedAt),
        .needed("active", .flag, \.isActive),
        make: ListedToken.init
    )
}

/// Answer to `POST /tokens`: the listed members, and the token itself, which can never be read again.
extension NewToken: TabledBody {
    package static let table = FieldTable<NewToken>(
        answer: "NewToken",
        "A token",
        .needed("token", .string(63...63, pattern: "^gate_[a-z0-9]{8}_"), \.text),
        .inlined(ListedToken.table, \.listed),
        make: NewToken.init
    )
}
