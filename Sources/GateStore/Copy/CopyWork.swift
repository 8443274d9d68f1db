import GateCrypto

/// Copies everything from one database into an empty one and compares the two, in one transaction on each side.
///
/// Nothing is recomputed on the way: hashes, signatures, numbers and times stay the same, and unreadable rows stay unreadable.
struct CopyWork {
    let source: SQLConnection
    let copy: SQLConnection
    /// What it throws ends the copy.
    let progress: (CopyProgress) throws -> Void
    /// Rows between two progress reports.
    private static let step = 10_000

    /// - Throws: ``StoreError/Code/conflict`` for a copy that already has rows; ``StoreError/Code/schemaTooOld`` and
    ///   ``StoreError/Code/schemaChanged`` for two different schemas; ``StoreError/Code/corrupt`` for a source that is not what was
    ///   written, and for a copy that differs from the source. Then nothing was written.
    func run(_ judge: (SQLConnection) throws -> [StoreFault]) throws -> CopyReport {
        try source.transaction(.reading) {
            try requireSameSchema()
            try progress(.checking)
            try Self.requireSound(source, "The source")
            let doubts = try judge(source)
            let report = try copy.transaction(.writing) {
                // Nobody else writes from here on.
                try Self.requireEmpty(copy)
                let digests = try copyAll()
                // Otherwise PostgreSQL plans with its statistics of the empty tables, until it updates them by itself.
                if copy.kind == .postgresql { for table in CopiedTable.allCases { try copy.execute(sql: "ANALYZE \(table.rawValue)") } }
                try progress(.checkingCopy)
                try compare(digests)
                let anchor = ChainAnchor(
                    changes: try ChainStore.head(of: .changes, in: copy),
                    audit: try ChainStore.head(of: .audit, in: copy)
                )
                try progress(.committing)
                return CopyReport(
                    anchor: anchor,
                    rows: CopiedTable.allCases.map { CopyReport.Table(name: $0.rawValue, count: digests[$0]?.count ?? 0) },
                    doubts: doubts
                )
            }
            return report
        }
    }

    // MARK: Before

    private func requireSameSchema() throws {
        let (own, others) = (try Self.ledger(source), try Self.ledger(copy))
        guard own == others else {
            throw StoreError(
                .schemaTooOld,
                "The source has schema \(own.count), and this gatehouse makes a copy of schema \(others.count)",
                hint: "Run gatehouse migrate on the source, with the same release."
            )
        }
        for table in CopiedTable.allCases {
            let (own, others) = (try source.typedColumns(of: table.rawValue), try copy.typedColumns(of: table.rawValue))
            guard own == others, own.allSatisfy({ $0.kind != nil }) else {
                throw StoreError(.schemaChanged, "The columns of \(table.rawValue) are not the same in both databases")
            }
        }
    }

    /// Numbers and names of the migrations: their texts are each engine's own.
    private static func ledger(_ db: SQLConnection) throws -> [String] {
        try db.values(String.self, sql: "SELECT name FROM migrations ORDER BY number")
    }

    /// - Throws: ``StoreError/Code/conflict``.
    static func requireEmpty(_ db: SQLConnection) throws {
        for table in CopiedTable.allCases {
            // An older schema lacks some tables.
            guard try db.hasTable(table.rawValue), try db.row(sql: "SELECT 1 FROM \(table.rawValue) LIMIT 1") != nil else { continue }
            throw StoreError(
                .conflict,
                "The database to copy into already has rows, in \(table.rawValue)",
                hint: "Copy into a new, empty database: existing rows are never overwritten."
            )
        }
    }

    private static func requireSound(_ db: SQLConnection, _ what: String) throws {
        // A row missing from its index would also be missing in the copy.
        if let fault = try db.integrityFaults().first {
            throw StoreError(.corrupt, "\(what) is not what was written: \(StoreFault(place: "database", problem: fault))")
        }
        let chains = try ChainDomain.allCases.compactMap { try ChainCheck(domain: $0).run(in: db, from: .empty, limit: .max).fault }
        guard let fault = try chains.first ?? StateCheck.faults(in: db).first else { return }
        throw StoreError(.corrupt, "\(what) is not what was written: \(fault)")
    }

    // MARK: Copying

    private func copyAll() throws -> [CopiedTable: RowDigest] {
        var digests: [CopiedTable: RowDigest] = [:]
        for table in CopiedTable.allCases {
            switch table.way {
            case .rows: digests[table] = try copyRows(of: table)
            case .history where table == .changes: (digests[.changes], digests[.changeTargets]) = try copyHistory()
            case .history: break
            case .triggers: digests[table] = try Self.digest(of: table, in: source)
            }
            if table.hasOwnNumbers { try copy.setLastNumber(source.lastNumber(of: table.rawValue), of: table.rawValue) }
        }
        return digests
    }

    private func copyRows(of table: CopiedTable) throws -> RowDigest {
        let rows = try CopiedRows(of: table, in: source)
        let counted = table.countedColumn.flatMap { name in rows.columns.firstIndex { $0.name == name } }
        var digest = RowDigest(rows.columns)
        var writer = RowWriter(into: table.rawValue, columns: rows.columns, in: copy)
        while var row = try rows.next() {
            digest.append(row)
            if let counted { row[counted] = .integer(0) }
            try writer.write(row)
            if digest.count.isMultiple(of: Self.step) { try progress(.copied(table: table.rawValue, rows: digest.count)) }
        }
        try writer.flush()
        try progress(.copied(table: table.rawValue, rows: digest.count))
        return digest
    }

    private func copyHistory() throws -> (changes: RowDigest, targets: RowDigest) {
        let (changes, targets) = (try CopiedRows(of: .changes, in: source), try CopiedRows(of: .changeTargets, in: source))
        var digests = (changes: RowDigest(changes.columns), targets: RowDigest(targets.columns))
        guard let sequence = changes.columns.firstIndex(where: { $0.name == "sequence" }),
            let owner = targets.columns.firstIndex(where: { $0.name == "sequence" })
        else { throw StoreError.internal("The history has no sequences") }
        var writer = try HistoryWriter(changes: changes.columns, targets: targets.columns, in: copy)
        var next = try targets.next()
        while let change = try changes.next() {
            digests.changes.append(change)
            var own: [[SQLValue]] = []
            while let row = next, row[owner] == change[sequence] {
                digests.targets.append(row)
                own.append(row)
                next = try targets.next()
            }
            try writer.write(change, targets: own)
            let count = digests.changes.count
            if count.isMultiple(of: Self.step) { try progress(.copied(table: CopiedTable.changes.rawValue, rows: count)) }
        }
        guard next == nil else { throw StoreError(.corrupt, "change_targets has rows of a change that is not there") }
        try writer.flush()
        try progress(.copied(table: CopiedTable.changes.rawValue, rows: digests.changes.count))
        return digests
    }

    // MARK: Afterwards

    private func compare(_ digests: [CopiedTable: RowDigest]) throws {
        for table in CopiedTable.allCases {
            let (own, other) = (digests[table], try Self.digest(of: table, in: copy))
            guard own == other else {
                throw StoreError(
                    .corrupt,
                    "\(table.rawValue) in the copy differs from the source (\(own?.count ?? 0) rows, \(other.count) in the copy)",
                    hint: "Nothing was kept. Run gatehouse verify on the source."
                )
            }
        }
        try Self.requireSound(copy, "The copy")
    }

    static func digest(of table: CopiedTable, in db: SQLConnection) throws -> RowDigest {
        let rows = try CopiedRows(of: table, in: db)
        var digest = RowDigest(rows.columns)
        while let row = try rows.next() { digest.append(row) }
        return digest
    }
}
