extension Store {
    /// The first answer to an actor's key, or nil when there was none within the last 24 hours.
    package func idempotencyRecord(actor: String, key: String) throws(StoreError) -> IdempotencyRecord? {
        let now = configuration.now()
        return try look("Reading an idempotency record") { db in try IdempotencyRows.fetch(actor: actor, key: key, now: now, in: db) }
    }

    /// Keeps the answer to a request that changed nothing; a change brings its record in its ``Commit``.
    /// - Throws: ``StoreError/Code/duplicate`` when the actor has used the key meanwhile.
    package func saveIdempotency(_ record: IdempotencyRecord) throws(StoreError) {
        let now = configuration.now()
        try write("Writing an idempotency record") { db in
            try IdempotencyRows.insert(record, now: now, quota: configuration.idempotency, into: db)
        }
    }
}
