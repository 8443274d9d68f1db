/// The table `shared_keys`.
enum SharedKeyRows {
    static func all(in db: SQLConnection) throws -> [SharedKeyRow] {
        try db.rows(sql: "SELECT name, revision, sealed FROM shared_keys ORDER BY name").map {
            SharedKeyRow(name: try $0.stored("name"), revision: try $0.stored("revision"), sealed: try $0.stored("sealed"))
        }
    }

    static func row(_ name: String, in db: SQLConnection) throws -> SharedKeyRow? {
        try db.row(sql: "SELECT revision, sealed FROM shared_keys WHERE name = ?", arguments: [name]).map {
            SharedKeyRow(name: name, revision: try $0.stored("revision"), sealed: try $0.stored("sealed"))
        }
    }

    /// The revisions, by name.
    static func revisions(in db: SQLConnection) throws -> [String: Int] {
        var revisions: [String: Int] = [:]
        for row in try db.cachedStatement(sql: "SELECT name, revision FROM shared_keys").rows() {
            revisions[try row.stored("name")] = try row.stored("revision")
        }
        return revisions
    }

    /// Replaces the row that has this revision, or adds the first row if `revision` is nil.
    /// - Returns: false where another row is there; then nothing is written.
    static func put(_ row: SharedKeyRow, over revision: Int?, in db: SQLConnection) throws -> Bool {
        if let revision {
            try db.execute(
                sql: "UPDATE shared_keys SET revision = ?, sealed = ? WHERE name = ? AND revision = ?",
                arguments: [row.revision, row.sealed, row.name, revision]
            )
        } else {
            try db.execute(
                sql: "INSERT INTO shared_keys (name, revision, sealed) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
                arguments: [row.name, row.revision, row.sealed]
            )
        }
        return db.changesCount == 1
    }
}
