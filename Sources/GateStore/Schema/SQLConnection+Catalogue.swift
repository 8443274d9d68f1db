/// What each engine tells of the tables, indexes and triggers that a database has, and of its own state.
extension SQLConnection {
    /// Whether there is none at all.
    var isEmpty: Bool {
        get throws {
            switch kind {
            case .sqlite: try SQLiteCatalogue.isEmpty(self)
            case .postgresql: try PostgresCatalogue.isEmpty(self)
            }
        }
    }

    /// What makes each what it is, by kind and name: `trigger changes_are_gapless`.
    var objects: [String: String] {
        get throws {
            switch kind {
            case .sqlite: try SQLiteCatalogue.objects(self)
            case .postgresql: try PostgresCatalogue.objects(self)
            }
        }
    }

    /// Moved by every statement that makes, alters or removes what could have the server write something that it does not mean.
    var schemaCookie: Int {
        get throws {
            switch kind {
            case .sqlite: try SQLiteCatalogue.cookie(self)
            case .postgresql: try PostgresCatalogue.cookie(self)
            }
        }
    }

    /// What the file says that it is; nil where there is no file.
    var header: SQLiteHeader? {
        get throws { kind == .sqlite ? try SQLiteHeader(self) : nil }
    }

    /// What is wrong with the pages of the database and its indexes; empty when all is well, and where only the engine's own tools can tell.
    func integrityFaults() throws -> [String] { kind == .sqlite ? try SQLiteIntegrity.faults(in: self) : [] }

    /// Rows that name others which are not there: an engine in another process never lets one come to be.
    func danglingRows() throws -> [SQLiteIntegrity.Dangling] { kind == .sqlite ? try SQLiteIntegrity.danglingRows(in: self) : [] }

    /// Whether there is a row that names another one which is not there.
    func hasDanglingRow() throws -> Bool { kind == .sqlite ? try SQLiteIntegrity.hasDanglingRow(in: self) : false }

    /// How long another's lock is waited for from now on.
    func setBusyTimeout(milliseconds: Int) throws {
        switch kind {
        case .sqlite: try SQLiteLog.setBusyTimeout(self, milliseconds: milliseconds)
        case .postgresql: try execute(sql: "SET lock_timeout = \(max(1, milliseconds))")
        }
    }
}
