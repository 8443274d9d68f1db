package import GateCrypto

/// A file of `keys/` that the servers of a database share. Its bytes are a secret.
package struct SharedKey: Sendable, CustomStringConvertible {
    /// The file's name: `rows.key`, `totp.key`, `device.key`, `signing.json`.
    package let name: String
    /// 1 for the first content that was shared, and one more for each replacement.
    package let revision: Int
    package let bytes: [UInt8]

    package init(name: String, revision: Int, bytes: [UInt8]) {
        (self.name, self.revision, self.bytes) = (name, revision, bytes)
    }

    /// Identifies it without being secret.
    package var mark: Mark { Mark(revision: revision, digest: SHA256Digest(of: bytes)) }

    /// Identifies one content of a file.
    package struct Mark: Sendable, Equatable {
        package let revision: Int
        package let digest: SHA256Digest

        package init(revision: Int, digest: SHA256Digest) { (self.revision, self.digest) = (revision, digest) }

        /// Stands for no file, on either side.
        package static let none = Mark(revision: 0, digest: .zero)
    }

    package var description: String { "\(name), revision \(revision)" }
}
