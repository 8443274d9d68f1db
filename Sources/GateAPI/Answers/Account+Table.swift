package import GateJSON
package import GateModel

/// Answer to `GET /account`.
extension Account: TabledBody {
    package static let table = FieldTable<Account>(
        answer: "Account",
        "An account",
        .needed("user", .body, \.user),
        .needed("createdAt", .time, \.createdAt),
        .needed("passwordChangedAt", .time, \.passwordChangedAt),
        .needed("totp", .flag, \.hasTOTP),
        .needed("recoveryCodes", .integer(0...10), \.recoveryCodes),
        .needed("freshUntil", .time, \.freshUntil),
        .optionalWord("origin", \.origin),
        make: Account.init
    )
}

extension User: TabledBody {
    package static let table = FieldTable<User>(
        answer: "User",
        "A user",
        .needed("username", .string, \.name),
        .needed("role", .word, \.role),
        .needed("apps", .scope, \.scope),
        make: User.init
    )
}
