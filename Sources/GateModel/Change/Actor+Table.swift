package import GateJSON

/// The `actor` member of documents. Older rows have neither `id` nor `user`.
extension Actor: TabledDocument {
    package static let table = FieldTable<Actor>(
        answer: "Actor",
        "An actor",
        .needed("kind", .word, \.kind),
        .needed("name", .string, \.name),
        .optional("id", .string, \.id),
        .optional("user", .string, \.user),
        make: Actor.init
    )
}
