/// Compares the database's tables, indexes and triggers with those that its own ledger makes.
enum SchemaCheck {
    /// - Parameter migrations: the release's own, when they are at hand, to compare the ledger with.
    static func faults(in db: SQLConnection, migrations: [Migration]?) throws -> [StoreFault] {
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
        let version = try db.userVersion
        if version != ledger.count {
            faults.append(StoreFault(place: "schema", problem: "user_version is \(version), but the ledger has \(ledger.count) migrations"))
        }
        let identity = try db.applicationID
        if identity != Schema.applicationID {
            faults.append(StoreFault(place: "schema", problem: "application_id is \(identity), not gatehouse's"))
        }

        let expected = try made(by: ledger)
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

    /// Makes the schema anew, in memory.
    private static func made(by ledger: [Migration]) throws -> [String: String] {
        let memory = try SQLQueue.inMemory()
        return try memory.run { db in
            for migration in ledger { try db.execute(sql: migration.sql) }
            return try db.objects
        }
    }
}
