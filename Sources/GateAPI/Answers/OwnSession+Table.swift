package import GateJSON
package import GateModel

extension OwnSession: TabledBody {
    package static let table = FieldTable<OwnSession>(
        answer: "AccountSession",
        "A session",
        .needed("id", .string(32...32, pattern: "^[0-9a-f]{32}$"), \.id),
        .needed("current", .flag, \.isCurrent),
        .needed("createdAt", .time, \.createdAt),
        .needed("lastSeenAt", .time, \.lastSeenAt),
        .needed("expiresAt", .time, \.expiresAt),
        .needed("address", .string, \.address),
        .needed("userAgent", .string, \.userAgent),
        make: OwnSession.init
    )
}
