public import GateJSON

/// A backup in the server's folder.
public struct ListedBackup: Sendable, Hashable {
    /// Of the file.
    public let name: String
    /// When the state in it was read; of a file that is not sound, when its name says it was.
    public let at: Timestamp
    /// The last change in it; 0 when there was none, and for one that cannot be read.
    public let sequence: Int
    /// Of the file.
    public let bytes: Int
    /// SHA-256 of the file as `sha256sum` prints it; 64 zeros for one that cannot be read.
    public let digest: String
    /// Why it is no backup any more; nil for a sound one.
    public let fault: String?

    public init(
        name: String,
        at: Timestamp,
        sequence: Int,
        bytes: Int,
        digest: String,
        fault: String?
    ) {
        self.name = name
        self.at = at
        self.sequence = sequence
        self.bytes = bytes
        self.digest = digest
        self.fault = fault
    }
}
