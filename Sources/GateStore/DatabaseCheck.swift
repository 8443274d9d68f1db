import GateJSON

/// Everything that can be checked in one database, in the order in which people should read of it.
///
/// A check that fails because of a damaged database is a fault of its own; the others still run.
struct DatabaseCheck {
    let db: SQLConnection
    /// Those of the release, to compare the ledger with; nil compares the schema with the ledger alone.
    let migrations: [Migration]?
    /// Heads of the chains that were kept elsewhere.
    let anchors: [ChainAnchor]
    /// The folder with the key to check the rows; nil to skip that check.
    var directory: String?
    /// The last change that a feed was published with; 0 when none is known.
    var published = 0
    /// As in ``SchemaCheck/faults(in:migrations:made:)``.
    var made: (([Migration]) throws -> [String: String])?

    private var faults: [StoreFault] = []

    init(db: SQLConnection, migrations: [Migration]?, anchors: [ChainAnchor]) {
        self.db = db
        self.migrations = migrations
        self.anchors = anchors
    }

    /// - Returns: every fault, the most telling first.
    mutating func run() -> [StoreFault] {
        faults = []
        checkChains()
        checkFile()
        // All other checks read columns that an older schema need not have: that it is older is then the only thing to say.
        guard !isOlder else {
            checkSchema()
            return faults
        }
        checkSignatures()
        checkRows()
        checkSchema()
        return faults
    }

    private var isOlder: Bool {
        // A number that cannot be read is told of by the check of the schema.
        guard let migrations, let number = try? Schema.number(of: db) else { return false }
        return number < migrations.count
    }

    private mutating func check(_ place: String, _ run: () throws -> [StoreFault]) {
        do {
            guard db.kind == .postgresql else {
                faults += try run()
                return
            }
            // In PostgreSQL a failing statement makes all later ones fail, unless it is rolled back to a savepoint.
            var found: [StoreFault] = []
            try db.savepoint {
                found = try run()
                return true
            }
            faults += found
        } catch {
            faults.append(StoreFault(place: place, problem: StoreError(error, doing: "cannot be checked").detail))
        }
    }

    // MARK: The checks

    private mutating func checkChains() {
        let (db, anchors, published) = (db, anchors, published)
        check("changes") { try Self.faults(.changes, in: db, anchors: anchors.map(\.changes)) }
        check("audit") { try Self.faults(.audit, in: db, anchors: anchors.compactMap(\.audit)) }
        guard faults.isEmpty else { return }
        check("changes") {
            [StoreFault.behindFeeds(after: try ChainStore.head(of: .changes, in: db).sequence, upTo: published)].compactMap(\.self)
        }
    }

    /// Checks the whole chain, and that the anchors are links of it.
    private static func faults(_ domain: ChainDomain, in db: SQLConnection, anchors: [ChainHead]) throws -> [StoreFault] {
        let chain = ChainCheck(domain: domain)
        if let fault = try chain.run(in: db, from: .empty, limit: .max).fault { return [fault] }
        return try anchors.compactMap { try chain.run(in: db, from: $0, limit: 1).fault }
    }

    private mutating func checkFile() {
        let db = db
        check("database") { try db.integrityFaults().map { StoreFault(place: "database", problem: $0) } }
        check("database") {
            try db.danglingRows().map { row in
                StoreFault(place: row.table, row: row.row.map(String.init), problem: "names a row of \(row.parent) that is not there")
            }
        }
    }

    private mutating func checkSchema() {
        let (db, migrations, made) = (db, migrations, made)
        check("schema") { try SchemaCheck.faults(in: db, migrations: migrations, made: made) }
    }

    private mutating func checkSignatures() {
        guard let directory else { return }
        // For a chain that is already reported as broken, a wrong end is not reported too.
        let broken = Set(faults.map(\.place)).intersection(ChainDomain.allCases.map(\.table.rawValue))
        let db = db
        check("signatures") { try SignatureCheck.faults(in: db, directory: directory).filter { !broken.contains($0.place) } }
    }

    private mutating func checkRows() {
        let db = db
        check("targets") { try StateCheck.faults(in: db) }
        var unreadable: [StoreFault] = []
        /// A table that cannot be read does not hide faults of the others.
        func look(_ place: String, _ run: () throws -> [StoreFault]) {
            check(place) {
                unreadable += try run()
                return []
            }
        }
        look("targets") { try StateLoader.load(from: db).unreadable }
        for table in RowCheck.allCases { look(table.rawValue) { try table.run(in: db, after: nil, limit: .max).faults } }
        check("audit") { try RepairRecord.unnoted(unreadable, in: db) }
    }
}
