import GateCrypto

/// Reads the two chains from the database.
enum ChainStore {
    static func head(of domain: ChainDomain, in db: SQLConnection) throws -> ChainHead {
        let row = try db.cachedStatement(sql: "SELECT sequence, hash FROM \(domain.table.rawValue) ORDER BY sequence DESC LIMIT 1").row()
        return try row.map { try head($0, of: domain) } ?? .empty
    }

    static func head(of domain: ChainDomain, sequence: Int, in db: SQLConnection) throws -> ChainHead? {
        if sequence == 0 { return .empty }
        let row = try db.row(sql: "SELECT sequence, hash FROM \(domain.table.rawValue) WHERE sequence = ?", arguments: [sequence])
        return try row.map { try head($0, of: domain) }
    }

    /// The last links of both chains.
    static func anchor(in db: SQLConnection) throws -> ChainAnchor {
        ChainAnchor(changes: try head(of: .changes, in: db), audit: try head(of: .audit, in: db))
    }

    /// Identifies this history: the first 16 digits of the hash of its first change, which covers who made that change and when. A copy, a
    /// backup and a database restored from it have the same one. Nil before the first change.
    static func historyID(in db: SQLConnection) throws -> String? {
        try head(of: .changes, sequence: 1, in: db).map { $0.hash.hexadecimal(ofFirst: 8) }
    }

    private static func head(_ row: SQLRow, of domain: ChainDomain) throws -> ChainHead {
        let sequence: Int = try row.stored("sequence")
        guard let hash = SHA256Digest(bytes: try row.stored("hash")) else {
            throw StoreError(.corrupt, "\(domain.table.rawValue) row \(sequence): the hash is not 32 bytes long")
        }
        return ChainHead(sequence: sequence, hash: hash)
    }
}
