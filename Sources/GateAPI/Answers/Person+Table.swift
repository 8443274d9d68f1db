package import GateJSON
package import GateModel

extension Person: TabledBody {
    package static let table = FieldTable<Person>(
        answer: "Person",
        "A person",
        .needed("id", .integer(1...), \.id),
        .needed("username", .string, \.name),
        .needed("role", .word, \.role),
        .needed("apps", .scope, \.scope),
        .needed("disabled", .flag, \.isDisabled),
        .needed("totp", .flag, \.hasTOTP),
        .needed("createdAt", .time, \.createdAt),
        .needed("passwordChangedAt", .time, \.passwordChangedAt),
        .optional("hasPassword", .flag, \.hasPassword, standard: true),
        .optional("invitedUntil", .time, \.invitedUntil),
        .optionalWord("origin", \.origin),
        make: Person.init
    )
}

/// Answer to `POST /users` and `POST /users/{user}/invitation`: the person, and the invitation, whose token can never be read again.
extension InvitedPerson: TabledBody {
    package static let table = FieldTable<InvitedPerson>(
        answer: "InvitedPerson",
        "A person",
        .inlined(Person.table, \.person),
        .optional("invitation", .body, \.invitation),
        make: InvitedPerson.init
    )
}

extension Invitation: TabledBody {
    package static let table = FieldTable<Invitation>(
        answer: "Invitation",
        "An invitation",
        .needed("token", .string(43...43, pattern: "^[A-Za-z0-9_-]{43}$"), \.token),
        .needed("expiresAt", .time, \.expiresAt),
        make: Invitation.init
    )
}
