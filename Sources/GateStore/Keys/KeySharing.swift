package import GateCrypto

/// How the files of `keys/` are sealed that the servers of one database share: each for its name and revision, so that one cannot be put in the
/// place of another, nor an older one be called the newer. Who has the database and not the secret learns their lengths.
///
/// Inside each stands, before the file's bytes, which ``set`` it is of: what was sealed with the same secret for another database is of another.
package struct KeySharing: Sendable {
    private let box: PlacedBox

    /// Bytes that say which of all databases keys are of.
    static let setByteCount = 16

    package init(_ secret: SharedSecret) { box = secret.box(for: "gatehouse shared keys 1") }

    func seal(_ key: SharedKey, of set: [UInt8], random: RandomSource) -> [UInt8] {
        box.seal(set + key.bytes, for: Self.place(key.name, key.revision), random: random)
    }

    func row(of key: SharedKey, in set: [UInt8], random: RandomSource) -> SharedKeyRow {
        SharedKeyRow(name: key.name, revision: key.revision, sealed: seal(key, of: set, random: random))
    }

    /// Nil for what was not sealed so.
    func open(_ sealed: [UInt8], name: String, revision: Int) -> (key: SharedKey, set: [UInt8])? {
        guard let bytes = box.open(sealed, for: Self.place(name, revision)), bytes.count >= Self.setByteCount else { return nil }
        let key = SharedKey(name: name, revision: revision, bytes: Array(bytes.dropFirst(Self.setByteCount)))
        return (key, Array(bytes.prefix(Self.setByteCount)))
    }

    private static func place(_ name: String, _ revision: Int) -> [UInt8] {
        var bytes = PrefixedBytes(domain: "gatehouse shared key 1")
        bytes.append(Array(name.utf8))
        bytes.append(revision)
        return bytes.bytes
    }
}
