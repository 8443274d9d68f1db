package import GateCrypto
package import GateJSON
import GateModel

/// What a backup says about itself, in its first line.
///
/// It includes the heads of both chains, in the form of a ``ChainAnchor``.
package struct BackupManifest: Sendable, Hashable {
    /// When the state in it was read.
    package let at: Timestamp
    /// The last links of the chains in it.
    package let anchor: ChainAnchor
    /// How many migrations have been applied to its database.
    package let schema: Int
    /// Whose history it is, as ``Store/historyID()``; nil before the first change, and in a backup of a release that did not say.
    let history: String?
    /// Length of the database, as it is in the file.
    package let bytes: Int
    /// Digest of the database, as it is in the file.
    package let digest: SHA256Digest
    /// Nil for a database that is not encrypted.
    package let encryption: Encryption?
    /// Bytes of the ``BackupKeys`` after the database, before encryption; nil for none.
    package let keyBytes: Int?

    /// How a database is encrypted, and to which key.
    package struct Encryption: Sendable, Hashable {
        package let key: SealingKey
        /// The key of the ``SealingStream``, sealed to ``key``.
        let sealedKey: [UInt8]

        static let algorithm = "x25519-xchacha20poly1305"
    }

    /// The last change in it; 0 when there was none.
    package var sequence: Int { anchor.changes.sequence }

    /// Compares an anchor with an encrypted backup, by the last links of its chains alone; nil when they are the anchor's.
    /// - Throws: ``StoreError/Code/keyMissing`` for an anchor older than the backup, whose link is inside the encrypted database.
    package func fault(against anchor: ChainAnchor) throws(StoreError) -> StoreFault? {
        let ends = [
            (ChainDomain.changes, anchor.changes, self.anchor.changes), (.audit, anchor.audit ?? .empty, self.anchor.audit ?? .empty),
        ]
        for (domain, known, end) in ends where known.sequence >= end.sequence && known != end {
            return ChainCheck(domain: domain).anchorFault(known, last: end.sequence)
        }
        // An empty chain is the beginning of every chain.
        guard ends.allSatisfy({ _, known, end in known == end || known == .empty }) else {
            throw StoreError(
                .keyMissing,
                "The anchor is older than the backup: only the database, which is encrypted, shows whether it continues from there",
                hint: "Name the file with the private half of its key with --key, or leave --anchor out."
            )
        }
        return nil
    }

    static let format = "gatehouse backup"
    /// The first bytes of every backup.
    static let beginning = Array("{\"format\":\"\(format)\",".utf8)
    static let version = 1
    /// For a backup with keys: a release that does not know them would take them for a part of the database.
    static let versionWithKeys = 2
    /// The largest ``keyBytes``.
    private static let mostKeyBytes = 1_048_576
    /// The most bytes of the line, including its end.
    static let mostBytes = 4_096

    var json: JSONValue {
        var object: JSONObject = [
            "format": .string(Self.format), "version": .integer(keyBytes == nil ? Self.version : Self.versionWithKeys),
            "at": .string(at.description),
            "sequence": .integer(sequence),
            "schema": .integer(schema), "bytes": .integer(bytes), "sha256": .string(digest.hexadecimal),
        ]
        object["history"] = history.map { .string($0) }
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
        history: String? = nil,
        bytes: Int,
        digest: SHA256Digest,
        encryption: Encryption? = nil,
        keyBytes: Int? = nil
    ) {
        (self.at, self.anchor, self.schema, self.history, self.bytes, self.digest) = (at, anchor, schema, history, bytes, digest)
        (self.encryption, self.keyBytes) = (encryption, keyBytes)
    }

    /// - Throws: ``StoreError/Code/corrupt`` for anything but a manifest, ``StoreError/Code/schemaTooNew`` for one of a later form.
    init(line: [UInt8], of path: String) throws(StoreError) {
        // One message for everything that can be wrong.
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
        self.init(
            at: at,
            anchor: anchor,
            schema: schema,
            history: object["history"]?.string,
            bytes: bytes,
            digest: digest,
            encryption: encryption,
            keyBytes: keyBytes
        )
    }

    static func none(_ path: String) -> StoreError {
        StoreError(.corrupt, "\(path) is not a backup that gatehouse made", hint: "Name a file that gatehouse backup made.")
    }

    static let otherBackup = "Take another backup; gatehouse verify --from FILE tells whether it is sound."
}
