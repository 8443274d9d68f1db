import GRDB

/// Compares the database's tables, indexes and triggers with those that its own ledger makes.
enum SchemaCheck {
    /// - Parameter migrations: the release's own, when they are at hand, to compare the ledger with.
    static func faults(in db: Database, migrations: [Migration]?) throws -> [StoreFault] {
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
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if version != ledger.count {
            faults.append(StoreFault(place: "schema", problem: "user_version is \(version), but the ledger has \(ledger.count) migrations"))
        }
        let identity = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if identity != Schema.applicationID {
            faults.append(StoreFault(place: "schema", problem: "application_id is \(identity), not gatehouse's"))
        }

        let expected = try made(by: ledger)
        let found = try objects(of: db)
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

    /// Makes the schema anew, in memory.
    private static func made(by ledger: [Migration]) throws -> [String: String] {
        let memory = try DatabaseQueue()
        return try memory.writeWithoutTransaction { db in
            for migration in ledger { try db.execute(sql: migration.sql) }
            return try objects(of: db)
        }
    }

    /// SQL by kind and name: `trigger changes_are_gapless`. Tables that SQLite makes for itself come with those that need them.
    private static func objects(of db: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'"
        )
        var objects: [String: String] = [:]
        for row in rows {
            let kind: String = try row.stored("type")
            let name: String = try row.stored("name")
            objects["\(kind) \(name)"] = try row.stored("sql") as String
        }
        return objects
    }
}
