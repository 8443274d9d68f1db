package import GateJSON

/// A simulation as a document of the admin API. Libraries and rules that only newer versions know are left out.
extension Simulation: TabledDocument {
    package static let table = FieldTable<Simulation>(
        answer: "Simulation",
        "A simulation",
        .target(\.target),
        .needed("revision", .integer(1...), \.revision),
        .needed("client", .shipped, \.client),
        .needed("clients", .knownWords(ClientLibrary.shipped), \.clients, missing: []),
        .needed("version", .string, \.version),
        .needed("at", .toldTime, \.at),
        .needed("seen", .flag, \.seen),
        .inlined(PhoneView.table, \.shown),
        .needed("hidden", .list(ofKnown: .hiddenRule), \.hidden, missing: []),
        .needed("feed", .string, \.feed),
        .optionalWord("release", \.release)
    ) {
        target,
        revision,
        client,
        clients,
        version,
        at,
        seen,
        shown,
        hidden,
        feed,
        release in
        Simulation(
            target: target,
            revision: revision,
            client: client,
            release: release,
            clients: clients,
            version: version,
            at: at,
            seen: seen,
            shown: shown,
            hidden: hidden,
            feed: feed
        )
    }
}

extension Simulation.Hidden: TabledDocument {
    package static let table = FieldTable<Simulation.Hidden>(
        answer: "HiddenRule",
        "A hidden rule",
        .needed("rule", .word, \.rule),
        .needed("detail", .string, \.detail),
        make: Simulation.Hidden.init
    )
}

extension JSONCodec where Value == Simulation.Hidden? {
    /// Nil for a rule that only newer versions know.
    static var hiddenRule: JSONCodec { document { $0.isStrange("rule", Rule.self) } }
}

extension JSONCodec where Value == ClientLibrary {
    /// A library for which there is a model.
    fileprivate static var shipped: JSONCodec { JSONCodec.word.described(as: .word(ClientLibrary.shipped.map(\.rawValue))) }
}
