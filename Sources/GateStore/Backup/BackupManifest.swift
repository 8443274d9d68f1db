package import GateCrypto
package import GateJSON
import GateModel

/// What a backup says of itself, in its first line.
///
/// The heads of both chains are among it, in the form of a ``ChainAnchor``.
package struct BackupManifest: Sendable, Hashable {
    /// When the state that it holds was read.
    package let at: Timestamp
    /// The last links of the chains in it.
    package let anchor: ChainAnchor
    /// How many migrations its database has had.
    package let schema: Int
    /// Of the database, as it stands in the file.
    package let bytes: Int
    /// Of the database, as it stands in the file.
    package let digest: SHA256Digest
    /// Nil for a database that stands in the file as it is.
    package let encryption: Encryption?
    /// Bytes of the ``BackupKeys`` behind the database, before anything is encrypted; nil for none.
    package let keyBytes: Int?

    /// To whom a database is encrypted.
    package struct Encryption: Sendable, Hashable {
        package let key: SealingKey
        /// The key of the ``SealingStream``, sealed to that one.
        let sealedKey: [UInt8]

        static let algorithm = "x25519-xchacha20poly1305"
    }

    /// The last change in it; 0 when there was none.
    package var sequence: Int { anchor.changes.sequence }

    /// What an anchor tells of a backup that nobody can look into, by the last links of its chains alone; nil when they are the anchor's.
    /// - Throws: ``StoreError/Code/keyMissing`` for an anchor from before the backup, whose link is in the database.
    package func fault(against anchor: ChainAnchor) throws(StoreError) -> StoreFault? {
        let ends = [
            (ChainDomain.changes, anchor.changes, self.anchor.changes), (.audit, anchor.audit ?? .empty, self.anchor.audit ?? .empty),
        ]
        for (domain, known, end) in ends where known.sequence >= end.sequence && known != end {
            return ChainCheck(domain: domain).anchorFault(known, last: end.sequence)
        }
        // An empty chain is the beginning of every other.
        guard ends.allSatisfy({ _, known, end in known == end || known == .empty }) else {
            throw StoreError(
                .keyMissing,
                "The anchor is from before the backup, whose database tells whether it goes on from there, and is encrypted",
                hint: "Name the file with the private half of its key with --key, or leave --anchor out."
            )
        }
        return nil
    }

    static let format = "gatehouse backup"
    static let version = 1
    /// Of one with keys: whoever does not know of them would take them for a part of the database.
    static let versionWithKeys = 2
    /// What ``keyBytes`` may be at most.
    private static let mostKeyBytes = 1_048_576
    /// Bytes that the line has at most, its end included.
    static let mostBytes = 4_096

    var json: JSONValue {
        var object: JSONObject = [
            "format": .string(Self.format), "version": .integer(keyBytes == nil ? Self.version : Self.versionWithKeys),
            "at": .string(at.description),
            "sequence": .integer(sequence),
            "schema": .integer(schema), "bytes": .integer(bytes), "sha256": .string(digest.hexadecimal),
        ]
        if let keyBytes { object["keyBytes"] = .integer(keyBytes) }
        if let encryption {
            object["encryption"] = [
                "algorithm": .string(Encryption.algorithm), "publicKey": .string(encryption.key.text),
                "sealedKey": .string(Base64URL.encode(encryption.sealedKey)),
            ]
        }
        for (name, head) in anchor.json.object?.members ?? [] { object[name] = head }
        return .object(object)
    }

    init(
        at: Timestamp,
        anchor: ChainAnchor,
        schema: Int,
        bytes: Int,
        digest: SHA256Digest,
        encryption: Encryption? = nil,
        keyBytes: Int? = nil
    ) {
        (self.at, self.anchor, self.schema, self.bytes, self.digest) = (at, anchor, schema, bytes, digest)
        (self.encryption, self.keyBytes) = (encryption, keyBytes)
    }

    /// - Throws: ``StoreError/Code/corrupt`` for what is no manifest, ``StoreError/Code/schemaTooNew`` for one of a later form.
    init(line: [UInt8], of path: String) throws(StoreError) {
        // One sentence for all that it is not.
        guard let object = try? JSONReader.read(line).object, object["format"]?.string == Self.format else {
            throw Self.none(path)
        }
        let version = object["version"]?.integer
        guard version == Self.version || version == Self.versionWithKeys else {
            throw StoreError(
                .schemaTooNew,
                "\(path) is a backup in a form that this gatehouse does not know",
                hint: "Use the gatehouse that made it, or a newer one."
            )
        }
        guard let at = object["at"]?.string.flatMap(Timestamp.init(_:)), let schema = object["schema"]?.integer, schema > 0,
            let bytes = object["bytes"]?.integer, bytes > 0, let digest = object["sha256"]?.string.flatMap(SHA256Digest.init(hexadecimal:)),
            let anchor = try? ChainAnchor(json: .object(object)), anchor.audit != nil  // as above
        else { throw StoreError(.corrupt, "The first line of \(path) is not what gatehouse wrote", hint: Self.otherBackup) }
        let keyBytes = object["keyBytes"]?.integer
        guard (version == Self.versionWithKeys) == (keyBytes != nil), keyBytes.map({ 1...min(Self.mostKeyBytes, bytes) ~= $0 }) ?? true
        else {
            throw StoreError(.corrupt, "The first line of \(path) is not what gatehouse wrote", hint: Self.otherBackup)
        }
        var encryption: Encryption?
        if let sealing = object["encryption"]?.object {
            guard sealing["algorithm"]?.string == Encryption.algorithm, let key = sealing["publicKey"]?.string.flatMap(SealingKey.init),
                let sealedKey = sealing["sealedKey"]?.string.flatMap(Base64URL.decode)
            else {
                throw StoreError(
                    .schemaTooNew,
                    "\(path) is encrypted in a way that this gatehouse does not know",
                    hint: "Use the gatehouse that made it, or a newer one."
                )
            }
            encryption = Encryption(key: key, sealedKey: sealedKey)
        }
        self.init(at: at, anchor: anchor, schema: schema, bytes: bytes, digest: digest, encryption: encryption, keyBytes: keyBytes)
    }

    static func none(_ path: String) -> StoreError {
        StoreError(.corrupt, "\(path) is no backup of gatehouse", hint: "Name a file that gatehouse backup made.")
    }

    static let otherBackup = "Take another backup; gatehouse verify --from FILE tells whether it is sound."
}
