import GRDB
package import GateJSON
import GateModel

extension Store {
    /// How often something was tried in vain, or nil.
    package func throttle(scope: String) throws(StoreError) -> ThrottleRecord? {
        try read("Reading a throttle") { db in try Self.throttle(scope, db) }
    }

    /// Counts one more failure and decides in the same transaction when the next try is let through, so that tries at the same time all count.
    /// - Parameters:
    ///   - window: seconds after which a first failure is forgotten and counting starts anew.
    ///   - delay: seconds to wait after so many failures, 0 for none.
    package func countFailure(
        scope: String,
        at now: Timestamp,
        window: Int64,
        delay: (_ failures: Int) -> Int64
    ) throws(StoreError) -> ThrottleRecord {
        try write("Writing a throttle") { db in
            var failures = 1
            var first = now
            if let before = try Self.throttle(scope, db), now < before.firstFailureAt.advanced(bySeconds: window) {
                failures = before.failures + 1
                first = before.firstFailureAt
            }
            let record = ThrottleRecord(
                scope: scope,
                failures: failures,
                firstFailureAt: first,
                notBefore: now.advanced(bySeconds: delay(failures))
            )
            // Whatever is over for a day counts for nobody.
            try db.execute(sql: "DELETE FROM throttles WHERE not_before < ?", arguments: [now.advanced(bySeconds: -86_400).milliseconds])
            try db.execute(
                sql: """
                    INSERT INTO throttles (scope, failures, first_failure_at, not_before) VALUES (?, ?, ?, ?)
                    ON CONFLICT (scope) DO UPDATE SET failures = excluded.failures, first_failure_at = excluded.first_failure_at, not_before = excluded.not_before
                    """,
                arguments: [record.scope, record.failures, record.firstFailureAt.milliseconds, record.notBefore.milliseconds]
            )
            return record
        }
    }

    /// Forgets the failures of a scope, as after a right password.
    package func clearThrottle(scope: String) throws(StoreError) {
        guard try throttle(scope: scope) != nil else { return }
        try write("Writing a throttle") { db in try db.execute(sql: "DELETE FROM throttles WHERE scope = ?", arguments: [scope]) }
    }

    private static func throttle(_ scope: String, _ db: Database) throws -> ThrottleRecord? {
        try Row.fetchOne(db, sql: "SELECT * FROM throttles WHERE scope = ?", arguments: [scope]).map { row in
            ThrottleRecord(
                scope: try row.stored("scope"),
                failures: try row.stored("failures"),
                firstFailureAt: try row.storedTime("first_failure_at"),
                notBefore: try row.storedTime("not_before")
            )
        }
    }
}
