import Foundation
import GRDB
import GateCrypto
import GateJSON
import GateModel

enum IdempotencyRows {
    /// Also removes what has expired, so that the table holds a day's keys at most.
    /// - Throws: ``StoreError/Code/duplicate`` when the actor has used the key within its lifetime.
    static func insert(_ record: IdempotencyRecord, now: Timestamp, into db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM idempotency_records WHERE at <= ?").execute(arguments: [oldest(now)])
        try db.cachedStatement(
            sql: "INSERT INTO idempotency_records (actor, key, request_digest, status, body, at) VALUES (?, ?, ?, ?, ?, ?)"
        )
        .execute(arguments: [
            record.actor, record.key, Data(record.requestDigest.bytes), record.status, Data(record.body), record.at.milliseconds,
        ])
        // One that was made long before it is kept is of no use to anybody, and nobody reads it.
        guard record.at.milliseconds > oldest(now) else { return }
        try ReadBack.check("An answer kept under an Idempotency-Key", record) { try fetch(actor: record.actor, key: record.key, now: now, in: db) }
    }

    static func fetch(actor: String, key: String, now: Timestamp, in db: Database) throws -> IdempotencyRecord? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT request_digest, status, body, at FROM idempotency_records WHERE actor = ? AND key = ? AND at > ?"),
            arguments: [actor, key, oldest(now)]
        )
        return try row.map { row in
            guard let digest = SHA256Digest(bytes: Array(try row.stored("request_digest") as Data)) else {
                throw StoreError(.corrupt, "An idempotency record has no digest")
            }
            return IdempotencyRecord(
                actor: actor,
                key: key,
                requestDigest: digest,
                status: try row.stored("status"),
                body: Array(try row.stored("body") as Data),
                at: try row.storedTime("at")
            )
        }
    }

    private static func oldest(_ now: Timestamp) -> Int64 { now.advanced(bySeconds: -IdempotencyRecord.lifetime).milliseconds }
}
