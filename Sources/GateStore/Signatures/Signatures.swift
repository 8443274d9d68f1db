import Foundation
import GateCrypto
import Synchronization

/// Signs what a store writes to the signed tables, and keeps the book about it.
///
/// ``SignatureTriggers`` report which rows each write transaction touched. At its end these are signed, and the lists and heads are written
/// with them. A row that was not the server's own before stays unsigned, whatever is written to it: nobody gets a signature by making the
/// server touch a forged row. ``begin(_:)``, ``finish(_:)``, ``committed()`` and ``abandon()`` are called on the writing connection's
/// queue; the rest may be called on any thread.
final class Signatures: Sendable {
    private struct State {
        /// Nil while the key is missing or belongs to another database: then nothing is written, and nobody is recognised.
        var hash: KeyedHash?
        var book = SignedBook()
        /// Why there is no key.
        var keyFault: StoreFault?
        /// Whether the chains were what the book says when the last write began: only then may the book follow them.
        var isInStep = true
        /// What was found wrong with tables and triggers when the store was opened, or since.
        var schemaFaults: [StoreFault] = []
        /// The schema's cookie, which every DDL statement changes; nil until the schema was checked, and when it was found wrong.
        var schema: Int?
        var transaction: Transaction?
    }

    private struct Transaction {
        var rows: [SignedTable: [String: [SQLValue]]] = [:]
        /// Touched rows that were not the server's own before.
        var foreign: [SignedTable: Set<String>] = [:]
        /// The book as it will be once the transaction is committed.
        var book: SignedBook?
    }

    private let state = Mutex(State())
    /// A connection that sees rows as they were before the open transaction; nil where ``SignatureTriggers`` report that.
    private let earlier: SQLQueue?

    /// - Parameters:
    ///   - db: the writing connection, of a database with the current schema.
    ///   - earlier: another connection to the database, if the engine is not in this process.
    /// - Throws: ``StoreError/Code/corrupt`` when the tables are not what the ledger says, and signing cannot work with them.
    init(_ db: SQLConnection, _ configuration: StoreConfiguration, earlier: SQLQueue? = nil) throws {
        self.earlier = earlier
        // Somebody else's trigger could make the server itself write and sign what it never meant to.
        let schemaFaults = try SchemaCheck.faults(in: db, migrations: nil)
        if let fault = schemaFaults.first(where: { $0.problem.hasPrefix("table ") && !$0.problem.hasSuffix("making") }) {
            throw StoreError(.corrupt, "\(fault)")
        }
        let (hash, keyFault) = try Self.settle(db, configuration)
        let book = try hash.map { try SignedBook.read(from: db, $0).book }
        let schema = schemaFaults.isEmpty ? try db.schemaCookie : nil
        state.withLock { state in
            state.hash = hash
            state.keyFault = keyFault
            state.book = book ?? SignedBook()
            state.schemaFaults = schemaFaults
            state.schema = schema
        }
        if db.kind == .sqlite { try SignatureTriggers.install(on: db, for: self) }
    }

    /// Why there is no key, when there is none.
    var keyFault: StoreFault? { state.withLock { $0.keyFault } }

    var schemaFaults: [StoreFault] { state.withLock { $0.schemaFaults } }

    /// False once the server has noticed, during a write of its own, that somebody else wrote to the database.
    var isInStep: Bool { state.withLock { $0.isInStep && $0.schemaFaults.isEmpty } }

    /// Get it before reading the rows that it judges.
    /// - Throws: ``StoreError/Code/keyMissing``.
    func judge() throws(StoreError) -> RowJudge {
        let (hash, book) = state.withLock { ($0.hash, $0.book) }
        guard let hash else { throw .keyMissing }
        return RowJudge(hash: hash, book: book)
    }

    // MARK: A write transaction

    func begin(_ db: SQLConnection) throws {
        if db.kind == .postgresql { try catchUp(db) }
        let (chains, schema, hasKey) = state.withLock { ($0.book.chains, $0.schema, $0.hash != nil) }
        guard hasKey else { throw StoreError.keyMissing }
        let found = try ChainStore.anchor(in: db)
        let isAltered = try schema != nil && schema != db.schemaCookie
        state.withLock { state in
            if isAltered {
                state.schema = nil
                state.schemaFaults = [StoreFault(place: "schema", problem: "was altered while gatehouse runs")]
            }
            state.isInStep = chains == found
            state.transaction = Transaction()
        }
    }

    /// Called by the triggers: a row has been written; or is about to be written, when there are more values than its key.
    func rowTold(_ values: [SQLValue]) {
        guard let table = values.first?.text.flatMap(SignedTable.init(rawValue:)) else { return }
        let key = Array(values.dropFirst().prefix(table.keyColumns.count))
        let rest = Array(values.dropFirst(1 + key.count))
        let name = table.name(ofKey: key)
        state.withLock { state in
            guard state.transaction != nil else { return }
            if rest.isEmpty {
                state.transaction?.rows[table, default: [:]][name] = key
            } else if state.transaction?.rows[table]?[name] == nil, let hash = state.hash {
                // Only before the transaction's first write to the row; afterwards the row waits to be signed.
                let row = SignedRow(table: table, key: key, values: Array(rest.dropFirst(2)), generation: rest[0], signature: rest[1])
                if RowJudge(hash: hash, book: state.book).doubt(row) != nil { state.transaction?.foreign[table, default: []].insert(name) }
            }
        }
    }

    /// Takes over the book of another server of the same database, if it was signed with this key and is not behind ours.
    func catchUp(_ db: SQLConnection) throws {
        let (hash, known) = state.withLock { ($0.hash, $0.book) }
        let heads = try db.cachedStatement(sql: "SELECT content FROM signatures WHERE name = 'heads'").value(String.self)
        guard let hash, heads != known.heads else { return }
        let (book, faults) = try SignedBook.read(from: db, hash)
        guard faults.isEmpty else { return }
        state.withLock { state in
            // Another thread of this process may have caught up, or written, meanwhile.
            if book.generation >= state.book.generation, book.isAsFar(as: state.book) { state.book = book }
        }
    }

    /// Where ``SignatureTriggers`` cannot call us: asks which rows the transaction has written so far, and reads each existing one as it
    /// was before, which is what all other connections still see.
    private func collect(_ db: SQLConnection) throws {
        guard let earlier else { return }
        let rows = try WrittenRows.all(in: db)
        // The other connection may be lent to a long read, or be opened anew, and this transaction is idle meanwhile.
        if rows.contains(where: \.wasThere) { try db.execute(sql: PostgresSession.limitingWriting(PostgresSession.longestPause)) }
        for written in rows {
            let name = written.table.name(ofKey: written.key)
            let (hash, book, isKnown) = state.withLock { ($0.hash, $0.book, $0.transaction?.rows[written.table]?[name] != nil) }
            guard !isKnown, let hash else { continue }
            // Nobody else can alter the row until this transaction ends.
            let before = try written.wasThere ? earlier.run { try Self.row(written.key, of: written.table, in: $0) } : nil
            let isForeign = before.map { RowJudge(hash: hash, book: book).doubt($0) != nil } ?? false
            state.withLock { state in
                state.transaction?.rows[written.table, default: [:]][name] = written.key
                if isForeign { state.transaction?.foreign[written.table, default: []].insert(name) }
            }
        }
    }

    /// - Throws: ``StoreError/Code/unsigned`` when it is unclear what the server would sign.
    func finish(_ db: SQLConnection) throws {
        try collect(db)
        let (hash, before, schema, isInStep, transaction) = state.withLock { ($0.hash, $0.book, $0.schema, $0.isInStep, $0.transaction) }
        guard let hash, let transaction else { return }
        // Nobody knows what altered triggers report.
        if schema == nil, try WrittenRows.areThere(in: db) { throw Self.foreignSchema }
        var book = before
        if !transaction.rows.isEmpty {
            guard schema != nil else { throw Self.foreignSchema }
            book.generation += 1
            for (table, keys) in transaction.rows {
                guard book.lists[table] != nil else { throw StoreError(.unsigned, "The list of the rows of \(table.rawValue) is missing") }
                for (name, key) in keys {
                    let row = try Self.row(key, of: table, in: db)
                    if row != nil, transaction.foreign[table]?.contains(name) == true { continue }
                    try row.map { try Self.sign($0, generation: book.generation, hash, in: db) }
                    book.lists[table]?.rows[name] = row?.isLive == true ? book.generation : nil
                }
                book.lists[table]?.generation = book.generation
            }
        }
        if isInStep { book.chains = try ChainStore.anchor(in: db) }
        try book.write(over: before, to: db, hash)
        state.withLock { $0.transaction?.book = book }
    }

    private static let foreignSchema = StoreError(.unsigned, "The database's tables or triggers are not gatehouse's own")

    func committed() {
        state.withLock { state in
            if let book = state.transaction?.book { state.book = book }
            state.transaction = nil
        }
    }

    /// Decides whether the open transaction may obey a row: the row was the server's own before, or the transaction has written it and will
    /// sign it.
    func trust(in db: SQLConnection) -> RowTrust { { table, row in try self.isOwn(table, row, in: db) } }

    private func isOwn(_ table: SignedTable, _ row: SQLRow, in db: SQLConnection) throws -> Bool {
        try collect(db)
        let row = try SignedRow(row, of: table)
        let (hash, book, transaction) = state.withLock { ($0.hash, $0.book, $0.transaction) }
        if let transaction, transaction.rows[table]?[row.name] != nil { return transaction.foreign[table]?.contains(row.name) != true }
        return hash.map { RowJudge(hash: $0, book: book).doubt(row) == nil } ?? false
    }

    func abandon() { state.withLock { $0.transaction = nil } }

    // MARK: Signing everything

    /// Signs every row as it is, and accepts the chains as they are.
    /// - Returns: the book as it will be once that is committed.
    static func signAll(_ db: SQLConnection, _ hash: KeyedHash, after generation: Int) throws -> SignedBook {
        var book = SignedBook(generation: generation + 1)
        for table in SignedTable.allCases {
            var list = SignedList(generation: book.generation)
            for row in try db.rows(sql: "SELECT * FROM \(table.rawValue)").map({ try SignedRow($0, of: table) }) {
                try sign(row, generation: book.generation, hash, in: db)
                if row.isLive { list.rows[row.name] = book.generation }
            }
            book.lists[table] = list
        }
        book.chains = try ChainStore.anchor(in: db)
        try book.write(over: nil, to: db, hash)
        return book
    }

    func replace(_ hash: KeyedHash, _ book: SignedBook) {
        state.withLock { state in
            state.hash = hash
            state.book = book
            state.keyFault = nil
            state.isInStep = true
        }
    }

    private static func row(_ key: [SQLValue], of table: SignedTable, in db: SQLConnection) throws -> SignedRow? {
        try db.cachedStatement(sql: "SELECT * FROM \(table.rawValue) WHERE \(table.keyCondition)").row(arguments: SQLArguments(key))
            .map { try SignedRow($0, of: table) }
    }

    private static func sign(_ row: SignedRow, generation: Int, _ hash: KeyedHash, in db: SQLConnection) throws {
        let signature = row.signature(hash, generation: generation)
        try db.cachedStatement(sql: "UPDATE \(row.table.rawValue) SET generation = ?, signature = ? WHERE \(row.table.keyCondition)")
            .execute(arguments: [generation, signature] + SQLArguments(row.key))
    }
}
