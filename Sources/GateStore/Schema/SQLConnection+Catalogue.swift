/// The tables, indexes and triggers of a database and its state, as each engine reports them.
extension SQLConnection {
    /// Whether the database has no tables at all.
    var isEmpty: Bool {
        get throws {
            switch kind {
            case .sqlite: try SQLiteCatalogue.isEmpty(self)
            case .postgresql: try PostgresCatalogue.isEmpty(self)
            }
        }
    }

    /// The definition of each object, by kind and name: `trigger changes_are_gapless`.
    var objects: [String: String] {
        get throws {
            switch kind {
            case .sqlite: try SQLiteCatalogue.objects(self)
            case .postgresql: try PostgresCatalogue.objects(self)
            }
        }
    }

    /// Changed by every statement that creates, alters or drops something that could make the server write what it does not mean to.
    var schemaCookie: Int {
        get throws {
            switch kind {
            case .sqlite: try SQLiteCatalogue.cookie(self)
            case .postgresql: try PostgresCatalogue.cookie(self)
            }
        }
    }

    /// What the file's header says; nil where there is no file.
    var header: SQLiteHeader? {
        get throws { kind == .sqlite ? try SQLiteHeader(self) : nil }
    }

    /// The faults in the database's pages and indexes; empty when there are none, and where only the engine's own tools can tell.
    func integrityFaults() throws -> [String] { kind == .sqlite ? try SQLiteIntegrity.faults(in: self) : [] }

    /// Rows that refer to missing rows. PostgreSQL never lets that happen.
    func danglingRows() throws -> [SQLiteIntegrity.Dangling] { kind == .sqlite ? try SQLiteIntegrity.danglingRows(in: self) : [] }

    /// Whether any row refers to a missing row.
    func hasDanglingRow() throws -> Bool { kind == .sqlite ? try SQLiteIntegrity.hasDanglingRow(in: self) : false }

    /// Sets how long to wait for somebody else's lock from now on.
    func setBusyTimeout(milliseconds: Int) throws {
        switch kind {
        case .sqlite: try SQLiteLog.setBusyTimeout(self, milliseconds: milliseconds)
        case .postgresql: try execute(sql: "SET lock_timeout = \(max(1, milliseconds))")
        }
    }
}
