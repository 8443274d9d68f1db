package import GateJSON
package import GateModel

/// Answer to `POST /rehearsals`, and an item of `GET /rehearsals`.
extension Rehearsal: TabledBody {
    package static let table = FieldTable<Rehearsal>(
        answer: "Rehearsal",
        "A rehearsal",
        .needed("id", .string(idLengths), \.id),
        .target(\.target),
        .needed("gate", .gate, \.gate),
        .needed("actor", .document, \.actor),
        .needed("at", .time, \.at),
        .needed("until", .time, \.until),
        .needed("feeds", .feedPaths, \.feeds),
        .needed("ownFeeds", .map(of: .string, names: "^own/.+[.]json$"), \.ownFeeds),
        .needed("pollCount", .integer(0...), \.pollCount),
        .needed("polls", .list(of: .body), \.polls),
        make: Rehearsal.init
    )

    private static let idLengths = 8...8
}

extension RehearsalPoll: TabledBody {
    package static let table = FieldTable<RehearsalPoll>(
        answer: "RehearsalPoll",
        "A poll",
        .needed("at", .time, \.at),
        .needed("feed", .string, \.feed),
        .nullable("version", .string, \.version),
        .nullable("userAgent", .string, \.userAgent),
        .needed("unchanged", .flag, \.isUnchanged),
        make: RehearsalPoll.init
    )
}
