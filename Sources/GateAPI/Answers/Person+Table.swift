package import GateJSON
package import GateModel

extension Person: TabledBody {
    package static let table = FieldTable<Person>(
        answer: "Person", "A person",
        .needed("id", .integer(1...), \.id), .needed("username", .string, \.name), .needed("role", .word, \.role),
        .needed("apps", .scope, \.scope), .needed("disabled", .flag, \.isDisabled), .needed("totp", .flag, \.hasTOTP),
        .needed("createdAt", .time, \.createdAt), .needed("passwordChangedAt", .time, \.passwordChangedAt),
        make: Person.init
    )
}
