import GateCrypto

extension Store {
    /// The last link of the history's chain.
    package func chainHead() throws(StoreError) -> ChainHead {
        try read("Reading the history's head") { db in try ChainStore.head(of: .changes, in: db) }
    }

    /// The link of a change; nil when there is no such change, and when its hash cannot be read, which a check of the chain reports.
    package func chainHead(at sequence: Int) throws(StoreError) -> ChainHead? {
        try read("Reading a change's hash") { db in try Self.readableHead(at: sequence, in: db) }
    }

    static func readableHead(at sequence: Int, in db: SQLConnection) throws -> ChainHead? {
        do { return try ChainStore.head(of: .changes, sequence: sequence, in: db) } catch is StoreError { return nil }
    }

    /// Identifies this history, as ``ChainStore/historyID(in:)``.
    package func historyID() throws(StoreError) -> String? {
        try read("Reading the history's first change") { db in try ChainStore.historyID(in: db) }
    }

    /// The last links of both chains, to be kept outside the database.
    package func anchor() throws(StoreError) -> ChainAnchor {
        try read("Reading the chains' heads") { db in try ChainStore.anchor(in: db) }
    }

    /// Checks the next links of the history's chain, for a check in the background that keeps no reader open for long.
    ///
    /// Call it again with the head that it returns until it is finished.
    /// - Parameters:
    ///   - head: where to continue: an anchor that was kept outside, the head from the previous call, or nil for the whole chain. That the
    ///     database still has this very link is checked too.
    ///   - limit: the most changes to check.
    package func verifyChain(from head: ChainHead? = nil, limit: Int = 2_000) throws(StoreError) -> ChainProgress {
        try read("Checking the history") { db in try ChainCheck(domain: .changes).run(in: db, from: head ?? .empty, limit: limit) }
    }

    /// The same for the audit's chain.
    package func verifyAuditChain(from head: ChainHead? = nil, limit: Int = 2_000) throws(StoreError) -> ChainProgress {
        try read("Checking the audit") { db in try ChainCheck(domain: .audit).run(in: db, from: head ?? .empty, limit: limit) }
    }
}
