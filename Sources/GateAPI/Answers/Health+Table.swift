package import GateJSON
package import GateModel

/// How the server is.
extension Health: TabledBody {
    package static let table = FieldTable<Health>(
        answer: "Health",
        "A state of health",
        .needed("state", word, \.state),
        .needed("reasons", .list(of: .string), \.reasons),
        .optional("notices", .list(of: .string), \.notices, standard: []),
        make: Health.init
    )

    /// A word that this version does not know counts as degraded, not as "ok".
    private static let word = JSONCodec<State>(.word(State.allCases.map(\.rawValue))) { value, _ in
        value.string.flatMap(State.init(rawValue:)) ?? .degraded
    } write: {
        .string($0.rawValue)
    }
}
