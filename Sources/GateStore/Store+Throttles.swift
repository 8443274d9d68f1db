package import GateJSON
import GateModel

extension Store {
    /// The failed attempts counted for a scope, or nil.
    package func throttle(scope: String) throws(StoreError) -> ThrottleRecord? { try throttles(scopes: [scope])[scope] }

    /// The failed attempts of several scopes, by scope, all read from one state.
    package func throttles(scopes: [String]) throws(StoreError) -> [String: ThrottleRecord] {
        try read("Reading a throttle") { db in
            var records: [String: ThrottleRecord] = [:]
            for scope in scopes { records[scope] = try Self.throttle(scope, db) }
            return records
        }
    }

    /// The longest time for which a failure may count, in seconds; older ones are removed.
    package static let longestThrottleWindow: Int64 = 3_600

    /// One counter that a failure counts towards.
    package struct FailureCount {
        package let scope: String
        /// Seconds after which a first failure is forgotten and counting starts again; at most ``Store/longestThrottleWindow``.
        package let window: Int64
        /// Seconds to wait after so many failures, 0 for none.
        package let delay: (_ failures: Int) -> Int64

        package init(scope: String, window: Int64, delay: @escaping (_ failures: Int) -> Int64) {
            self.scope = scope
            self.window = window
            self.delay = delay
        }
    }

    /// Counts one more failure in each of its counters, and decides when the next attempt is allowed. All in one transaction, so
    /// simultaneous attempts all count.
    /// - Returns: the counters afterwards, in their order.
    @discardableResult
    package func countFailures(_ counts: [FailureCount], at now: Timestamp) throws(StoreError) -> [ThrottleRecord] {
        try write("Writing a throttle") { db in
            // Records that no longer count are removed first; otherwise many addresses in a day would fill the disk.
            let over = now.advanced(bySeconds: -Self.longestThrottleWindow)
            try db.execute(sql: "DELETE FROM throttles WHERE not_before < ?", arguments: [over.milliseconds])
            // Those of a clock that was put back since would otherwise stay for as long as it was ahead. The index has only the first
            // column.
            let ahead = now.advanced(bySeconds: StoredTime.lead)
            try db.execute(
                sql: "DELETE FROM throttles WHERE not_before > ? AND first_failure_at > ?",
                arguments: [ahead.milliseconds, ahead.milliseconds]
            )
            return try counts.map { count in
                var failures = 1
                var first = now
                if let before = try Self.throttle(count.scope, db), before.counts(within: count.window, at: now) {
                    failures = before.failures + 1
                    first = before.firstFailureAt
                }
                let record = ThrottleRecord(
                    scope: count.scope,
                    failures: failures,
                    firstFailureAt: first,
                    notBefore: now.advanced(bySeconds: count.delay(failures))
                )
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
    }

    /// Forgets the failures of a scope, as after a right password.
    package func clearThrottle(scope: String) throws(StoreError) {
        guard try throttle(scope: scope) != nil else { return }
        try write("Writing a throttle") { db in try db.execute(sql: "DELETE FROM throttles WHERE scope = ?", arguments: [scope]) }
    }

    private static func throttle(_ scope: String, _ db: SQLConnection) throws -> ThrottleRecord? {
        try db.cachedStatement(sql: "SELECT * FROM throttles WHERE scope = ?").row(arguments: [scope]).map { row in
            ThrottleRecord(
                scope: try row.stored("scope"),
                failures: try row.stored("failures"),
                firstFailureAt: try row.storedTime("first_failure_at"),
                notBefore: try row.storedTime("not_before")
            )
        }
    }
}
