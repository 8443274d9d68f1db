package import GateCrypto

/// A file of `keys/` as the servers of a database share it. Its bytes are a secret.
package struct SharedKey: Sendable, CustomStringConvertible {
    /// Of the file: `rows.key`, `totp.key`, `device.key`, `signing.json`.
    package let name: String
    /// 1 for the first content that was shared, and one more for each that took its place.
    package let revision: Int
    package let bytes: [UInt8]

    package init(name: String, revision: Int, bytes: [UInt8]) {
        (self.name, self.revision, self.bytes) = (name, revision, bytes)
    }

    /// What may be kept of it to know it again.
    package var mark: Mark { Mark(revision: revision, digest: SHA256Digest(of: bytes)) }

    /// One content of a file.
    package struct Mark: Sendable, Equatable {
        package let revision: Int
        package let digest: SHA256Digest

        package init(revision: Int, digest: SHA256Digest) { (self.revision, self.digest) = (revision, digest) }

        /// That there was no such file, on either side.
        package static let none = Mark(revision: 0, digest: .zero)
    }

    package var description: String { "\(name), revision \(revision)" }
}
