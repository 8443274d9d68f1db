import GateJSON
import GateModel
import GateStore
import Synchronization

/// Counts refusals until their minute is over, so that whoever knocks a thousand times fills one row of the audit and not a thousand.
///
/// Thread-safe; kept in memory, so a crash loses the refusals of one minute at most. What was let through is never counted here: that has
/// its own row in the same transaction.
final class RefusalCounter: Sendable {
    /// What makes two refusals the same.
    struct Kind: Sendable, Hashable {
        let action: String
        let code: String
        let actor: Actor?
        let subject: String?
        let address: String?
    }

    private struct Count: Sendable {
        let first: Timestamp
        var last: Timestamp
        var count: Int
        let requestId: String
    }

    private let counts = Mutex<[Kind: Count]>([:])

    /// Milliseconds over which equal refusals are one row.
    private static let span: Int64 = 60_000
    /// A flood from many addresses must not fill the memory; beyond so many kinds the address no longer tells them apart.
    private static let limit = 1_000

    func count(_ kind: Kind, at now: Timestamp, requestId: String) {
        counts.withLock { counts in
            var kind = kind
            if counts[kind] == nil, counts.count >= Self.limit {
                kind = Kind(action: kind.action, code: kind.code, actor: nil, subject: nil, address: nil)
            }
            counts[kind, default: Count(first: now, last: now, count: 0, requestId: requestId)].count += 1
            counts[kind]?.last = now
        }
    }

    /// Takes out what is ready for the audit, the oldest first.
    /// - Parameter all: also what may still be counted further.
    func due(at now: Timestamp, all: Bool) -> [AuditEntry] {
        let taken = counts.withLock { counts in
            // A clock that was put back must not hold entries back.
            let due = counts.filter { all || abs(now.milliseconds - $0.value.first.milliseconds) >= Self.span }
            for kind in due.keys { counts[kind] = nil }
            return due
        }
        return taken.sorted { $0.value.first < $1.value.first }.map { kind, count in
            AuditEntry(
                at: count.first,
                actor: kind.actor,
                action: kind.action,
                outcome: .refused,
                subject: kind.subject,
                address: kind.address,
                requestId: count.requestId,
                detail: ["code": .string(kind.code), "count": .integer(count.count), "until": .string(count.last.description)]
            )
        }
    }
}
