public import GateJSON

/// A backup in the server's folder.
public struct ListedBackup: Sendable, Hashable {
    /// The file's name.
    public let name: String
    /// When the state in it was read; for a damaged file, the time in its name.
    public let at: Timestamp
    /// The sequence of the last change in it; 0 if there is none, and for a file that cannot be read.
    public let sequence: Int
    /// The file's size.
    public let bytes: Int
    /// SHA-256 of the file as `sha256sum` prints it; 64 zeros for one that cannot be read.
    public let digest: String
    /// Why it is no longer a usable backup; nil for a sound one.
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
