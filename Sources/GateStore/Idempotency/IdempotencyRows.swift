import Foundation
import GateCrypto
import GateJSON
import GateModel

enum IdempotencyRows {
    /// Also removes expired records, and the oldest ones of an actor who has more than ``IdempotencyRecord/Quota`` allows.
    /// - Throws: ``StoreError/Code/duplicate`` when the actor has used the key within its lifetime.
    static func insert(_ record: IdempotencyRecord, now: Timestamp, quota: IdempotencyRecord.Quota, into db: SQLConnection) throws {
        // A few at a time: after a busy day the next caller must not wait for the removal of all.
        try db.cachedStatement(
            sql:
                "DELETE FROM idempotency_records WHERE (actor, key) IN (SELECT actor, key FROM idempotency_records WHERE at <= ? ORDER BY at LIMIT \(mostAtOnce))"
        )
        .execute(arguments: [oldest(now)])
        try db.cachedStatement(sql: "DELETE FROM idempotency_records WHERE actor = ? AND key = ? AND at <= ?")
            .execute(arguments: [record.actor, record.key, oldest(now)])
        try db.cachedStatement(
            sql: "INSERT INTO idempotency_records (actor, key, request_digest, status, body, at) VALUES (?, ?, ?, ?, ?, ?)"
        )
        .execute(arguments: [
            record.actor, record.key, record.requestDigest.bytes, record.status, record.body, record.at.milliseconds,
        ])
        // A record that has already expired would never be read.
        if record.at.milliseconds > oldest(now) {
            try ReadBack.check("An answer kept under an Idempotency-Key", record) {
                try fetch(actor: record.actor, key: record.key, now: now, in: db)
            }
        }
        try makeRoom(of: record.actor, keeping: record.key, records: quota.records, bytes: quota.bytes, in: db)
        // In PostgreSQL a sum of bigints is a numeric.
        let sum = "SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM idempotency_usage"
        let total = try db.cachedStatement(sql: sum).value(Int.self) ?? 0
        guard total > quota.bytesOfAll else { return }
        // The actor with the most gives way, not the one who came first: one busy caller must not push out the others' answers.
        let fullest = try db.cachedStatement(sql: "SELECT actor, bytes FROM idempotency_usage ORDER BY bytes DESC LIMIT 1").row()
        guard let fullest else { return }
        let (actor, bytes) = (try fullest.stored("actor") as String, try fullest.stored("bytes") as Int)
        try makeRoom(
            of: actor,
            keeping: actor == record.actor ? record.key : nil,
            records: .max,
            bytes: bytes - (total - quota.bytesOfAll),
            in: db
        )
    }

    /// The most rows that one write removes for each reason; the rest is left to the next write.
    private static let mostAtOnce = 200

    /// Removes the oldest of an actor's answers until the others are within bounds.
    /// - Parameter key: the answer that always stays: the one just being given.
    private static func makeRoom(of actor: String, keeping key: String?, records: Int, bytes: Int, in db: SQLConnection) throws {
        for _ in 0..<mostAtOnce {
            let usage = try db.cachedStatement(sql: "SELECT records, bytes FROM idempotency_usage WHERE actor = ?").row(arguments: [actor])
            guard let usage, try usage.stored("records") as Int > records || usage.stored("bytes") as Int > bytes else { break }
            let oldest = try db.cachedStatement(
                sql: """
                    DELETE FROM idempotency_records WHERE (actor, key) =
                    (SELECT actor, key FROM idempotency_records WHERE actor = ? AND key IS DISTINCT FROM ? ORDER BY at LIMIT 1)
                    """
            )
            try oldest.execute(arguments: [actor, key])
            guard db.changesCount == 1 else { break }
        }
    }

    static func fetch(actor: String, key: String, now: Timestamp, in db: SQLConnection) throws -> IdempotencyRecord? {
        let row = try db.cachedStatement(sql: "SELECT * FROM idempotency_records WHERE actor = ? AND key = ? AND at > ?").row(arguments: [
            actor, key, oldest(now),
        ])
        return try row.map(Self.record)
    }

    static func record(_ row: SQLRow) throws -> IdempotencyRecord {
        guard let digest = SHA256Digest(bytes: try row.stored("request_digest")) else {
            throw StoreError(.corrupt, "An idempotency record has no digest")
        }
        return IdempotencyRecord(
            actor: try row.stored("actor"),
            key: try row.stored("key"),
            requestDigest: digest,
            status: try row.stored("status"),
            body: try row.stored("body"),
            at: try row.storedTime("at")
        )
    }

    private static func oldest(_ now: Timestamp) -> Int64 { now.advanced(bySeconds: -IdempotencyRecord.lifetime).milliseconds }
}
