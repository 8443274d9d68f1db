import GateCrypto
import GateJSON
package import GateModel

/// What a store contains that its server did not write.
package struct StoreDoubts: Sendable, Equatable {
    /// Chains that do not end where the server left them, and tables or triggers that the migrations did not make. Nothing may be written
    /// on top.
    package let history: [StoreFault]
    /// Rows that are not obeyed, missing rows, and lists that cannot be trusted.
    package let rows: [StoreFault]
    /// Set when nothing can be checked, because the key is missing or belongs to another database: nobody is recognised and nothing can be
    /// written.
    package let key: StoreFault?

    package var isEmpty: Bool { history.isEmpty && rows.isEmpty && key == nil }
    package var all: [StoreFault] { (key.map { [$0] } ?? []) + history + rows }
}

/// What happens to rows that the server did not write, as decided by somebody at the machine.
package enum Unsigned: Sendable {
    /// They are taken over as they are.
    case kept
    /// People and their recovery codes are removed, tokens revoked, windows called off.
    case dropped
}

extension Store {
    /// Checks all signed rows and the ends of the chains, but not the chains' links: ``verifyChain(from:limit:)`` does that. Changes to the
    /// rows during the check do not mislead it. Any thread.
    package func doubts() throws(StoreError) -> StoreDoubts {
        let schema = signatures.schemaFaults
        if let fault = signatures.keyFault { return StoreDoubts(history: schema, rows: [], key: fault) }
        let known = try signatures.judge()
        return try read("Checking who wrote what") { db in
            // The book must be from the same state as the rows, which others may be writing.
            var (book, faults) = try SignedBook.read(from: db, known.hash)
            if book.chains != nil, book.generation < known.book.generation {
                faults.append(StoreFault(place: "signatures", row: "heads", problem: "is an older state that was put back"))
                book = known.book
            }
            let rows = try SignatureCheck.findings(in: db, RowJudge(hash: known.hash, book: book)).map(\.fault)
            return StoreDoubts(history: try SignatureCheck.chainFaults(in: db, book) + schema, rows: faults + rows, key: nil)
        }
    }

    /// False once the server has noticed, during a write of its own, that somebody else wrote to the database; ``doubts()`` then tells
    /// more.
    package var isInStep: Bool { signatures.isInStep }

    /// Signs everything again, after somebody at the machine has looked at ``doubts()`` and decided so. All sessions and invitations end.
    /// The chains' ends are accepted as they are.
    /// - Parameters:
    ///   - newKey: whether to make a new key even if there is one, in case it was stolen. The old one stays beside it as `rows.key.old`.
    ///     Where keys are shared, the new one is shared in the same transaction, and every other server takes it at its next start.
    ///   - audit: makes the entry for the audit.
    /// - Throws: ``StoreError/Code/conflict`` when nobody would be left who manages people, when a window cannot be read, or when rows
    ///   should be dropped but cannot be recognised without the key.
    package func signAnew(_ unsigned: Unsigned, newKey: Bool, audit: (StoreDoubts, _ isNewKey: Bool) -> AuditEntry) throws(StoreError) {
        let doubts = try doubts()
        let file = RowKeyFile(dataFolder: configuration.directory)
        let judge = signatures.keyFault == nil ? try signatures.judge() : nil
        if judge == nil, unsigned == .dropped {
            throw StoreError(
                .conflict,
                "Without the key nobody can tell which rows gatehouse did not write",
                hint: "Put keys/rows.key back, or take the rows over with --keep."
            )
        }
        // Without the heads nobody knows the last generation, and a row of an older one could be put back under the same key.
        let kept = newKey ? nil : judge.flatMap { $0.book.chains == nil ? nil : $0 }
        let hash: KeyedHash
        if let kept { hash = kept.hash } else { hash = try file.makeNext(configuration.random) }
        let now = configuration.now()
        let work = configuration.sharing.map { SharedKeyWork(sharing: $0, configuration: configuration) }
        let next = kept == nil && work != nil ? try file.nextBytes() : nil
        var shared: SharedKey?
        let book = try maintain("Signing the rows") { db in
            try db.transaction(.writing) {
                if let next { shared = try work?.replace(SharedKeyWork.rowsKey, with: next, in: db) }
                if let judge, unsigned == .dropped {
                    for finding in try SignatureCheck.findings(in: db, judge) { try Self.drop(finding, now: now, in: db) }
                }
                try db.execute(sql: "DELETE FROM sessions")
                // A row that is taken over does not show who holds the link, and an invitation in a backup may have been used since.
                try db.execute(
                    sql: "UPDATE users SET invitation_digest = NULL, invitation_expires_at = NULL WHERE invitation_digest IS NOT NULL"
                )
                try AuditRows.append(audit(doubts, kept == nil), to: db)
                let book = try Signatures.signAll(db, hash, after: kept?.book.generation ?? 0)
                if unsigned == .dropped, try Self.hasNoAdministrator(db) {
                    throw StoreError(
                        .conflict,
                        "Nobody would be left who manages people",
                        hint: "Take the rows over with --keep, and afterwards remove whoever does not belong there."
                    )
                }
                return book
            }
        }
        if kept == nil { try file.promote() }
        if let shared { try remember(shared.mark, of: shared.name) }
        signatures.replace(hash, book)
    }

    /// Describes the faulty row for whoever decides: who it is, which apps it opens, what state it is in.
    package func describe(_ fault: StoreFault) -> String? {
        guard let table = SignedTable(rawValue: fault.place), let row = fault.row else { return nil }
        // If it cannot be read, only the fault is shown.
        let found = try? look("Reading a row") { db in
            try db.rows(sql: "SELECT * FROM \(table.rawValue)").first { try SignedRow($0, of: table).name == row }
        }
        guard let found else { return nil }
        func text(_ column: String, null: String = "none") -> String {
            guard let value = try? found.stored(column) as SQLValue else { return null }
            return value.text ?? null
        }
        switch table {
        case .users, .tokens: return "\(text("name")), \(text("role")) of \(text("apps", null: "all apps"))"
        case .windows: return text("state")
        case .sessions, .recoveryCodes: return nil
        }
    }

    private static func drop(_ finding: SignatureCheck.Finding, now: Timestamp, in db: SQLConnection) throws {
        guard let key = finding.key else { return }
        let condition = finding.table.keyCondition
        func run(_ sql: String, _ before: SQLArguments = []) throws {
            try db.execute(sql: sql + " WHERE " + condition, arguments: before + SQLArguments(key))
        }
        switch finding.table {
        case .users:
            try db.execute(
                sql: "UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE owner_id = ?",
                arguments: [now.milliseconds] + SQLArguments(key)
            )
            try run("DELETE FROM users")
        case .tokens: try run("UPDATE tokens SET revoked_at = coalesce(revoked_at, ?)", [now.milliseconds])
        case .sessions, .recoveryCodes: try run("DELETE FROM \(finding.table.rawValue)")
        case .windows:
            guard
                let document = try db.value(
                    String.self,
                    sql: "SELECT document FROM windows WHERE " + condition,
                    arguments: SQLArguments(key)
                ),
                var window = try? Window(json: JSONReader.read(document, limits: .own)), "\(window.id)" == finding.name
            else {
                throw StoreError(
                    .conflict,
                    "windows row \(finding.name) cannot be read, so it cannot be called off",
                    hint: "Repair it first."
                )
            }
            window.state = .cancelled
            let why = "It was not written by this server."
            window.events.append(Window.Event(at: now, what: .cancelled, actor: Actor(kind: .system, name: "console"), detail: why))
            try run(
                "UPDATE windows SET version = (SELECT max(version) + 1 FROM windows), state = 'cancelled', due_at = NULL, document = ?",
                [window.json.text]
            )
        }
    }

    private static func hasNoAdministrator(_ db: SQLConnection) throws -> Bool {
        try db.value(
            Bool.self,
            sql: """
                SELECT EXISTS (SELECT 1 FROM users) AND NOT EXISTS (SELECT 1 FROM users WHERE \(administrators))
                """
        ) ?? false
    }
}
