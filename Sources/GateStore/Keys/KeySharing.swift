package import GateCrypto

/// Seals the files of `keys/` that the servers of one database share. Each is sealed for its name and revision: one cannot take the place
/// of another, and an older one cannot pass as newer. Whoever has the database but not the secret learns only their lengths.
///
/// Inside each, before the file's bytes, is the set that it belongs to: each database has its own set, so files sealed with the same secret
/// for another database are recognised.
package struct KeySharing: Sendable {
    private let box: PlacedBox

    /// The length of a set's identifier, which tells the keys of different databases apart.
    static let setByteCount = 16

    package init(_ secret: SharedSecret) { box = secret.box(for: "gatehouse shared keys 1") }

    func seal(_ key: SharedKey, of set: [UInt8], random: RandomSource) -> [UInt8] {
        box.seal(set + key.bytes, for: Self.place(key.name, key.revision), random: random)
    }

    func row(of key: SharedKey, in set: [UInt8], random: RandomSource) -> SharedKeyRow {
        SharedKeyRow(name: key.name, revision: key.revision, sealed: seal(key, of: set, random: random))
    }

    /// Nil for bytes that were not sealed with this secret for this name and revision.
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
