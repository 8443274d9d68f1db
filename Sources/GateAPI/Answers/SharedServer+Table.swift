package import GateJSON
package import GateModel

/// One of the servers that share the database.
extension SharedServer: TabledBody {
    package static let table = FieldTable<SharedServer>(
        answer: "SharedServer",
        "One of several servers",
        .needed("name", .string, \.name),
        .needed("startedAt", .time, \.startedAt),
        .needed("sequence", .integer(0...), \.sequence),
        .needed("silentSeconds", .integer(0...), \.silentSeconds),
        make: SharedServer.init
    )
}
