import GateCrypto
import GateJSON
import GateModel

extension Signatures {
    /// Finds the key, and signs a database that was never signed: an empty one, or one from a release that did not sign.
    ///
    /// Afterwards unsigned rows are refused. So this happens only if there is no key yet, or nothing to sign: a database whose signatures
    /// were stripped has a key beside it.
    /// - Returns: the key; or the fault, when there is no key or it belongs to another database. Rows written with such a key would not be
    ///   accepted with the right one.
    static func settle(_ db: SQLConnection, _ configuration: StoreConfiguration) throws -> (KeyedHash?, StoreFault?) {
        let file = RowKeyFile(dataFolder: configuration.directory)
        let isSigned = try db.value(Bool.self, sql: "SELECT EXISTS (SELECT 1 FROM signatures)") ?? false
        let (kept, next): (KeyedHash?, KeyedHash?)
        do throws(StoreError) { (kept, next) = (try file.load(), try file.loadNext()) } catch {
            return (nil, StoreFault(place: "keys", problem: error.detail))
        }
        if isSigned {
            if let next = try promoteNext(db, file, kept, next) { return (next, nil) }
            guard let kept else { return (nil, missingKey) }
            return try SignedBook.isWritten(with: kept, in: db) ? (kept, nil) : (nil, foreignKey)
        }
        if let kept {
            if try isEmpty(db) { try signFirst(db, kept, configuration) }
            return (kept, nil)
        }
        let hash = try file.makeNext(configuration.random)
        try signFirst(db, hash, configuration)
        try file.promote()
        return (hash, nil)
    }

    /// Promotes a new key if the process ended after signing with it and before promoting it.
    /// - Returns: the key, if it was promoted.
    @discardableResult
    static func promoteNext(_ db: SQLConnection, _ file: RowKeyFile) throws -> KeyedHash? {
        try promoteNext(db, file, file.load(), file.loadNext())
    }

    private static func promoteNext(_ db: SQLConnection, _ file: RowKeyFile, _ kept: KeyedHash?, _ next: KeyedHash?) throws -> KeyedHash? {
        func opens(_ hash: KeyedHash) throws -> Bool { try SignedBook.read(from: db, hash).book.chains != nil }
        guard let next, try kept.map({ try !opens($0) }) ?? true, try opens(next) else { return nil }
        try file.promote()
        return next
    }

    static let missingKey = StoreFault(place: "keys", problem: "rows.key is missing: nobody can tell who wrote people, tokens and windows")

    static let foreignKey = StoreFault(
        place: "keys",
        problem: "rows.key is not the key that this database was signed with: nobody can tell who wrote people, tokens and windows"
    )

    private static func signFirst(_ db: SQLConnection, _ hash: KeyedHash, _ configuration: StoreConfiguration) throws {
        try db.transaction(.writing) {
            // Another server with the same keys may have been faster, and have written since.
            guard try db.value(Bool.self, sql: "SELECT EXISTS (SELECT 1 FROM signatures)") == false else { return }
            var detail = JSONObject()
            for table in SignedTable.allCases {
                let count = try db.value(Int.self, sql: "SELECT count(*) FROM \(table.rawValue)") ?? 0
                if count > 0 { detail[table.rawValue] = .integer(count) }
            }
            // For whoever wants to know later who was taken over unchecked. An empty database has nothing to report.
            if !detail.isEmpty {
                let administrators = try db.values(
                    String.self,
                    sql: "SELECT name FROM users WHERE role = 'admin' AND disabled = 0 ORDER BY name_folded"
                )
                detail["administrators"] = .array(administrators.map(JSONValue.string))
                let actor = Actor(kind: .system, name: "gatehouse")
                try AuditRows.append(
                    AuditEntry(at: configuration.now(), actor: actor, action: "rows.sign", requestId: "migrate", detail: detail),
                    to: db
                )
            }
            _ = try signAll(db, hash, after: 0)
        }
    }

    /// Whether the database was never used.
    static func isEmpty(_ db: SQLConnection) throws -> Bool {
        for table in SignedTable.allCases.map(\.rawValue) + ["changes", "audit"] {
            if try db.value(Bool.self, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") ?? true { return false }
        }
        return true
    }
}
