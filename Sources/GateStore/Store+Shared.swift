import GateCrypto

extension Store {
    /// Whether other servers write to the database as well.
    package var isShared: Bool { configuration.server != nil }

    /// How far the database has come, read from one state.
    package struct Newest: Sendable {
        /// The last change, and the last write of a window.
        package let sequence: Int
        package let windows: Int
        /// Whether the database lacks the change that was asked for, or has another one in its place: then it is an older one, or goes on
        /// from one.
        package let isOther: Bool
    }

    /// It also learns what other servers have signed: a row that they ended is not obeyed from then on, even if somebody puts it back.
    /// - Parameter known: a change that was in the database; nil to ask for none.
    package func newest(after known: ChainHead? = nil) throws(StoreError) -> Newest {
        try look("Asking for what is new") { db in
            if isShared { try signatures.catchUp(db) }
            let row = try db.cachedStatement(
                sql: """
                    SELECT (SELECT coalesce(max(sequence), 0) FROM changes) AS sequence,
                        (SELECT coalesce(max(version), 0) FROM windows) AS version, (SELECT hash FROM changes WHERE sequence = ?) AS hash
                    """
            ).row(arguments: [known?.sequence ?? 0])
            let hash: [UInt8]? = try row?.storedIfAny("hash")
            return Newest(
                sequence: try row?.stored("sequence") ?? 0,
                windows: try row?.stored("version") ?? 0,
                isOther: known.map { $0 != .empty && hash != $0.hash.bytes } ?? false
            )
        }
    }

    /// Keeps every other server from writing until `body` returns, to give a turn to somebody who was overtaken again and again. `body`
    /// writes through this store. If the connection is lost meanwhile, the others can write again, and `body` notices their changes by a
    /// conflict.
    ///
    /// Where the database is not shared, this only runs `body`.
    package func alone<Value, Failure: Error>(
        failing: (StoreError) -> Failure,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard isShared else { return try body() }
        let lock = PostgresSession.writersLock
        do throws(StoreError) {
            // The lock that each write takes, here for the whole session: PostgreSQL lets a session that holds it take it again.
            try maintain("Waiting for the other servers") { db in
                // Before the lock: a session that holds it must never be without the limit.
                try db.execute(sql: PostgresSession.limitingIdleness(PostgresSession.longestPause))
                try db.execute(sql: "SELECT 1 FROM pg_advisory_lock(\(lock))")
            }
        } catch { throw failing(error) }
        defer {
            // A session that does not answer is lost, and its lock with it.
            try? maintain("Letting the other servers go on") { db in
                try db.execute(sql: "SELECT 1 FROM pg_advisory_unlock(\(lock))")
                try db.execute(sql: PostgresSession.limitingIdleness("0"))
            }
        }
        return try body()
    }

    /// To be called by whoever learns that a shared database cannot be reached, or can be reached again after a silence: waits that have
    /// lasted longer than a second began before that, and fail now instead of seconds later. Does not wait itself.
    package func giveUpWaits() {
        for queue in [writer, reader] { queue.endWait(longerThan: .seconds(1)) }
    }

    /// Notifies the database's other servers once the transaction is committed.
    func tellOthers(in db: SQLConnection) throws {
        guard isShared else { return }
        try db.execute(sql: "SELECT 1 FROM pg_notify('\(StoreWatch.channel)', '')")
    }
}
