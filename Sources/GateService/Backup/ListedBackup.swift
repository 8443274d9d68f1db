import GateCrypto
package import GateJSON
import GateModel
import GateStore

/// A backup in the server's folder.
package struct ListedBackup: Sendable, Hashable {
    package let name: String
    /// When the state in it was read.
    package let at: Timestamp
    /// The last change in it; 0 when there was none, and for one that cannot be read.
    package let sequence: Int
    /// Of the file.
    package let bytes: Int
    /// SHA-256 of the file, as 64 hexadecimal digits.
    package let digest: String
    /// Why it is no backup any more; nil for a sound one.
    package let fault: String?

    init(_ entry: BackupFolder.Entry) {
        (name, at, sequence, bytes, digest, fault) = (entry.name, entry.at, entry.sequence, entry.bytes, entry.digest.hexadecimal, entry.fault)
    }
}
