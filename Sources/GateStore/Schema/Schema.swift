import GateJSON
import GateModel

/// Finds out which schema a database has, and brings it to the current one.
///
/// The ledger keeps the SQL text of every migration instead of a hash, so people can see what was changed and verification can rebuild the
/// schema from it.
enum Schema {
    /// "GATE": identifies our files, also to file(1).
    static let applicationID = 0x4741_5445

    /// Gives an empty database the current schema, and checks that any other database has it.
    /// - Throws: ``StoreError/Code/schemaTooOld``, ``StoreError/Code/schemaTooNew``, ``StoreError/Code/schemaChanged``;
    ///   ``StoreError/Code/corrupt`` for another program's database.
    static func settle(_ db: SQLConnection, migrations: [Migration], _ configuration: StoreConfiguration) throws {
        if try db.isEmpty {
            guard configuration.server == nil || configuration.createIfMissing else {
                throw StoreError(
                    .notFound,
                    "The database is empty",
                    hint: "Name gatehouse's own with --database, or make it with gatehouse init."
                )
            }
            try makeAll(migrations, in: db, now: configuration.now())
            return
        }
        let applied = try appliedCount(db, migrations: migrations)
        guard applied == migrations.count else {
            throw StoreError(
                .schemaTooOld,
                "The database has schema \(applied), this gatehouse needs \(migrations.count)",
                hint:
                    "Run gatehouse migrate --data \(configuration.directory.asShellWord)\(configuration.server == nil ? "" : " --database URL")"
            )
        }
    }

    /// Refuses the folder of a newer gatehouse, and one whose server has gone on in another database; only reads.
    /// - Parameter known: how many migrations this program has.
    /// - Throws: ``StoreError/Code/schemaTooNew``, ``StoreError/Code/unreadable``.
    static func requireOwn(_ db: SQLConnection, _ configuration: StoreConfiguration, known: Int) throws {
        guard let last = FolderRelease.read(from: configuration.directory) else { return }
        let schema = try number(of: db)
        try last.require(configuration.release, schema: schema, known: known, directory: configuration.directory)
        // Of a folder without such a note nothing else is read: its database may be of a schema without these chains.
        guard configuration.server == nil, last.isOfServer else { return }
        guard try !db.isEmpty else { return try FolderRelease.requireNotLeft(configuration.directory) }
        try FolderRelease.requireNotLeft(configuration.directory, at: ChainStore.anchor(in: db))
    }

    /// Applies what is missing, each migration in a transaction of its own.
    /// - Returns: the numbers that were applied.
    static func migrate(_ db: SQLConnection, migrations: [Migration], now: Timestamp) throws -> [Int] {
        let missing = try missing(db, migrations: migrations)
        for migration in missing { try apply(migration, to: db, now: now) }
        return missing.map(\.number)
    }

    /// The migrations that a database lacks.
    static func missing(_ db: SQLConnection, migrations: [Migration]) throws -> ArraySlice<Migration> {
        try migrations.dropFirst(db.isEmpty ? 0 : appliedCount(db, migrations: migrations))
    }

    /// The number of a database's schema, as the database itself says; 0 for an empty one.
    static func number(of db: SQLConnection) throws -> Int {
        if let header = try db.header { return header.userVersion }
        return try db.hasTable("migrations") ? try db.value(Int.self, sql: "SELECT count(*) FROM migrations") ?? 0 : 0
    }

    /// The ledger of a database.
    static func ledger(_ db: SQLConnection) throws -> [Migration] {
        try db.rows(sql: "SELECT number, name, sql FROM migrations ORDER BY number").map {
            Migration(number: try $0.stored("number"), name: try $0.stored("name"), sql: try $0.stored("sql"))
        }
    }

    /// How many of `migrations` the database has had, all of them with the same text.
    private static func appliedCount(_ db: SQLConnection, migrations: [Migration]) throws -> Int {
        let header = try db.header
        if let header, header.applicationID != applicationID {
            throw StoreError(
                .corrupt,
                "The file is a database of another program (application_id \(header.applicationID))",
                hint: "Name gatehouse's own data folder with --data."
            )
        }
        guard try header != nil || db.hasTable("migrations") else {
            throw StoreError(
                .corrupt,
                "The database holds tables of another program",
                hint: "Name an empty database, or gatehouse's own, with --database."
            )
        }
        let ledger = try ledger(db)
        let version = header?.userVersion ?? ledger.count
        guard version == ledger.count, ledger.map(\.number) == Array(1...max(1, ledger.count)) else {
            throw StoreError(.corrupt, "The database says schema \(version), its ledger has \(ledger.count) migrations")
        }
        for (applied, known) in zip(ledger, migrations) where applied != known {
            throw StoreError(.schemaChanged, "Migration \(known.number) (\(known.name)) is not the one that this database has had")
        }
        guard ledger.count <= migrations.count else {
            throw StoreError(.schemaTooNew, "The database has schema \(ledger.count), this gatehouse knows \(migrations.count)")
        }
        return ledger.count
    }

    /// Creates the schema in an empty database. If several servers find it empty at once, the first one does it, and nobody sees a part of
    /// it.
    private static func makeAll(_ migrations: [Migration], in db: SQLConnection, now: Timestamp) throws {
        guard db.kind == .postgresql else {
            for migration in migrations { try apply(migration, to: db, now: now) }
            return
        }
        try db.transaction(.writing) {
            guard try db.isEmpty else { return }
            for migration in migrations { try carryOut(migration, in: db, now: now) }
        }
    }

    private static func apply(_ migration: Migration, to db: SQLConnection, now: Timestamp) throws {
        try db.transaction(.writing) {
            // Another server may have been faster.
            guard try number(of: db) < migration.number else { return }
            try carryOut(migration, in: db, now: now)
        }
    }

    private static func carryOut(_ migration: Migration, in db: SQLConnection, now: Timestamp) throws {
        try db.execute(sql: migration.sql)
        guard try !db.hasDanglingRow() else {
            throw StoreError(
                .schemaChanged,
                "Migration \(migration.number) (\(migration.name)) leaves rows that refer to missing rows"
            )
        }
        try db.execute(
            sql: "INSERT INTO migrations (number, name, sql, applied_at) VALUES (?, ?, ?, ?)",
            arguments: [migration.number, migration.name, migration.sql, now.milliseconds]
        )
        if db.kind == .sqlite { try SQLiteHeader.set(applicationID: applicationID, userVersion: migration.number, in: db) }
    }
}
