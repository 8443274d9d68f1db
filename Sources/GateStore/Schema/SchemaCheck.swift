/// Compares the database's tables, indexes and triggers with those that its own ledger would create.
enum SchemaCheck {
    /// - Parameters:
    ///   - migrations: the release's own migrations, if available, to compare the ledger with.
    ///   - made: creates the objects of a ledger, for when `db` cannot write; if nil, ``made(by:beside:)`` creates them with `db`.
    static func faults(in db: SQLConnection, migrations: [Migration]?, made: (([Migration]) throws -> [String: String])? = nil) throws
        -> [StoreFault]
    {
        let ledger = try Schema.ledger(db)
        var faults: [StoreFault] = []
        for (index, migration) in ledger.enumerated() {
            if migration.number != index + 1 { faults.append(StoreFault(place: "migrations", row: index + 1, problem: "is missing")) }
            if let migrations, migrations.indices.contains(index), migrations[index] != migration {
                faults.append(StoreFault(place: "migrations", row: migration.number, problem: "is not the migration of this release"))
            }
        }
        if let migrations, migrations.count != ledger.count {
            faults.append(
                StoreFault(
                    place: "schema",
                    problem: ledger.count < migrations.count
                        ? "is \(ledger.count), older than this gatehouse's \(migrations.count): run gatehouse migrate"
                        : "is \(ledger.count), newer than this gatehouse's \(migrations.count)"
                )
            )
        }
        if let header = try db.header {
            if header.userVersion != ledger.count {
                faults.append(
                    StoreFault(
                        place: "schema",
                        problem: "user_version is \(header.userVersion), but the ledger has \(ledger.count) migrations"
                    )
                )
            }
            if header.applicationID != Schema.applicationID {
                faults.append(StoreFault(place: "schema", problem: "application_id is \(header.applicationID), not gatehouse's"))
            }
        }

        let expected = try made.map { try $0(ledger) } ?? Self.made(by: ledger, beside: db)
        let found = try db.objects
        for (name, sql) in expected.sorted(by: { $0.key < $1.key }) where found[name] != sql {
            faults.append(
                StoreFault(place: "schema", problem: found[name] == nil ? "\(name) is missing" : "\(name) is not as the migrations made it")
            )
        }
        for name in found.keys.sorted() where expected[name] == nil {
            faults.append(StoreFault(place: "schema", problem: "\(name) is not of the migrations' making"))
        }
        return faults
    }

    /// Creates the schema again: in memory, or on PostgreSQL in a schema beside the one in use, which nobody else ever sees.
    /// - Parameter db: a connection that may write, outside any transaction.
    static func made(by ledger: [Migration], beside db: SQLConnection) throws -> [String: String] {
        func make(in db: SQLConnection) throws -> [String: String] {
            for migration in ledger { try db.execute(sql: migration.sql) }
            return try db.objects
        }
        guard db.kind == .postgresql else { return try SQLQueue.inMemory().run { try make(in: $0) } }
        var objects: [String: String] = [:]
        try db.trial {
            try db.execute(sql: "CREATE SCHEMA gatehouse_made_anew; SET LOCAL search_path = gatehouse_made_anew")
            objects = try make(in: db)
        }
        return objects
    }
}
