import GateCrypto

/// Looks for what the server did not write: rows of signed tables, and ends of the chains.
enum SignatureCheck {
    /// A row that is not obeyed, or is missing.
    struct Finding {
        let table: SignedTable
        let name: String
        /// Nil for a row that is missing.
        let key: [SQLValue]?
        let doubt: RowJudge.Doubt?

        var fault: StoreFault { StoreFault(place: table.rawValue, row: name, problem: doubt?.words ?? "is missing") }
    }

    /// Every row that according to the judge is not obeyed, and every row that is on a list but not in its table.
    static func findings(in db: SQLConnection, _ judge: RowJudge) throws -> [Finding] {
        var findings: [Finding] = []
        for table in SignedTable.allCases {
            var seen: Set<String> = []
            // As raw bytes, so nothing that is stored escapes, not even text after a NUL or invalid UTF-8.
            let columns =
                table.keyColumns.map { "\($0) AS key_\($0)" } + ["generation", "signature"]
                + table.columns.map { "\(db.rawBytes(of: $0)) AS \($0)" }
            let rows = try db.cursor(sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table.rawValue)")
            while let row = try rows.next() {
                let row = try SignedRow(row, of: table, keyPrefix: "key_")
                seen.insert(row.name)
                // A missing list is reported once, not for each row of its table.
                if let doubt = judge.doubt(row), doubt != .unlisted {
                    findings.append(Finding(table: table, name: row.name, key: row.key, doubt: doubt))
                }
            }
            for name in judge.book.lists[table]?.rows.keys.sorted() ?? [] where !seen.contains(name) {
                findings.append(Finding(table: table, name: name, key: nil, doubt: nil))
            }
        }
        return findings
    }

    /// Chains that do not end as the book says, or whose links up to there differ.
    static func chainFaults(in db: SQLConnection, _ book: SignedBook) throws -> [StoreFault] {
        guard let chains = book.chains else { return [] }
        return try [(ChainDomain.changes, chains.changes), (.audit, chains.audit ?? .empty)].compactMap { domain, signed in
            let table = domain.table.rawValue
            let last = try ChainStore.head(of: domain, in: db)
            if last == signed { return nil }
            guard last.sequence >= signed.sequence else {
                return StoreFault(
                    place: table,
                    row: last.sequence + 1,
                    problem: "is missing: gatehouse signed rows up to \(signed.sequence)"
                )
            }
            guard try ChainStore.head(of: domain, sequence: signed.sequence, in: db) == signed else {
                return StoreFault(
                    place: table,
                    row: signed.sequence,
                    problem: "hash is not the one that gatehouse signed: the history was rewritten"
                )
            }
            return StoreFault(place: table, row: signed.sequence + 1, problem: "was not written by gatehouse")
        }
    }

    /// All faults of a database that is only read, as `gatehouse verify` does.
    static func faults(in db: SQLConnection, directory: String) throws -> [StoreFault] {
        // ``SchemaCheck`` reports a schema from before signatures, or without them.
        guard try db.hasTable("signatures") else { return [] }
        let file = RowKeyFile(dataFolder: directory)
        guard let hash = try file.load() ?? file.loadNext() else { return [Signatures.missingKey] }
        let (book, faults) = try SignedBook.read(from: db, hash)
        return try chainFaults(in: db, book) + faults + findings(in: db, RowJudge(hash: hash, book: book)).map(\.fault)
    }
}
