package import GateJSON
package import GateModel

/// Answer to `POST /backups`, and an item of `GET /backups`.
extension ListedBackup: TabledBody {
    package static let table = FieldTable<ListedBackup>(
        answer: "Backup",
        "A backup",
        .needed("name", .string, \.name),
        .needed("at", .time, \.at),
        .needed("sequence", .integer(0...), \.sequence),
        .needed("bytes", .integer(0...), \.bytes),
        .needed("sha256", .string(64...64, pattern: "^[0-9a-f]{64}$"), \.digest),
        .optional("fault", .string, \.fault),
        make: ListedBackup.init
    )
}
