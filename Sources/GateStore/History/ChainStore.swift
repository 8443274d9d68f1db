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

    private static func head(_ row: SQLRow, of domain: ChainDomain) throws -> ChainHead {
        let sequence: Int = try row.stored("sequence")
        guard let hash = SHA256Digest(bytes: try row.stored("hash")) else {
            throw StoreError(.corrupt, "\(domain.table.rawValue) row \(sequence): the hash is not 32 bytes long")
        }
        return ChainHead(sequence: sequence, hash: hash)
    }
}
