package import GateJSON
import GateModel

/// A backup in the server's folder: answer to `POST /backups`, and an item of `GET /backups`.
package struct BackupBody: TabledBody {
    /// Of the file.
    package var name: String
    /// When the state in it was read.
    package var at: Timestamp
    /// The last change in it; 0 when there was none, and for one that cannot be read.
    package var sequence: Int
    /// Of the file.
    package var bytes: Int
    /// Of the file, as `sha256sum` prints it; 64 zeros for one that cannot be read.
    package var sha256: String
    /// Why it is no backup any more; nil for a sound one.
    package var fault: String?

    package init(name: String, at: Timestamp, sequence: Int, bytes: Int, sha256: String, fault: String? = nil) {
        self.name = name
        self.at = at
        self.sequence = sequence
        self.bytes = bytes
        self.sha256 = sha256
        self.fault = fault
    }

    package static let table = FieldTable<BackupBody>(
        answer: "Backup", "A backup",
        .needed("name", .string, \.name), .needed("at", .time, \.at), .needed("sequence", .integer(0...), \.sequence),
        .needed("bytes", .integer(0...), \.bytes), .needed("sha256", .string(64...64, pattern: "^[0-9a-f]{64}$"), \.sha256),
        .optional("fault", .string, \.fault),
        make: BackupBody.init
    )
}
