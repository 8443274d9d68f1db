import GateJSON
import GateModel
import GateStore
import Synchronization

/// Counts refusals until their minute is over, so that somebody who knocks a thousand times fills one row of the audit and not a thousand;
/// and in the same way what is allowed and recorded although it changes nothing, such as exports.
///
/// Nobody can flood the audit: every caller has a budget of rows with full detail, and all strangers share one; beyond it, refusals are
/// counted in one row an hour for each reason. So strangers cause at most about two thousand rows a day, from however many addresses.
/// What is allowed keeps beyond the budget what it was about, of which there is no more than there are apps, and its first row at once:
/// nobody hides an export of everything behind a hundred of one app.
///
/// Thread-safe; kept in memory, so a crash loses the refusals of one minute, or of one hour beyond the budget. What changes something is
/// never counted here: it has its own row, in the same transaction.
final class RefusalCounter: Sendable {
    /// What makes two refusals the same.
    struct Refusal: Sendable, Hashable {
        let action: String
        /// Nil for what was allowed.
        let code: String?
        let actor: Actor?
        let subject: String?
        let address: String?

        /// Without the fields that can have any number of values. What is allowed is about apps that are there.
        fileprivate var merged: Refusal {
            Refusal(action: action, code: code, actor: actor, subject: isAllowed ? subject : nil, address: nil)
        }

        fileprivate var isAllowed: Bool { code == nil }
    }

    private struct Count: Sendable {
        let first: Timestamp
        var last: Timestamp
        var count: Int
        let requestId: String
        let isMerged: Bool

        /// Milliseconds during which equal refusals share one row.
        var span: Int64 { isMerged ? 3_600_000 : 60_000 }
    }

    /// Rows with full detail: a hundred at once, and then one a minute.
    private struct Budget: Sendable {
        private static let most: Int64 = 100
        private static let pause: Int64 = 60_000
        private var left = most
        private var since: Timestamp

        init(at now: Timestamp) { since = now }

        mutating func spend(at now: Timestamp) -> Bool {
            let passed = now.milliseconds - since.milliseconds
            // After a clock was put back, time counts from now.
            if passed < 0 { since = now }
            let gained = max(0, passed / Self.pause)
            left = min(Self.most, left + gained)
            since = left == Self.most ? now : since.advanced(bySeconds: gained * Self.pause / 1_000)
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    /// Whose budget it is. What is allowed has one of its own: nobody must be able to spend it by being refused, and so keep out of the
    /// audit what they read afterwards.
    private struct Payer: Sendable, Hashable {
        let actor: Actor?
        let isAllowed: Bool
    }

    private struct Counts: Sendable {
        var counts: [Refusal: Count] = [:]
        var budgets: [Payer: Budget] = [:]

        /// Whether the caller may fill one more row with full detail.
        mutating func spend(_ kind: Refusal, at now: Timestamp) -> Bool {
            // There are as many callers as people and tokens; those not seen for long start with a full budget again.
            if budgets.count > 1_000 { budgets = [:] }
            let payer = Payer(actor: kind.actor, isAllowed: kind.isAllowed)
            return budgets[payer, default: Budget(at: now)].spend(at: now)
        }

        /// The kind that something is counted as, which has a count from then on.
        /// - Parameter kind: merged with others where there is no row left for it.
        /// - Returns: also whether it is the first one of that kind that a row has to tell in full: of merged refusals there is none.
        mutating func begin(_ kind: Refusal, at now: Timestamp, requestId: String) -> (kind: Refusal, isFirst: Bool) {
            if counts[kind] != nil { return (kind, false) }
            let isMerged = !spend(kind, at: now)
            let kind = isMerged ? kind.merged : kind
            guard counts[kind] == nil else { return (kind, false) }
            counts[kind] = Count(first: now, last: now, count: 0, requestId: requestId, isMerged: isMerged)
            return (kind, !isMerged || kind.isAllowed)
        }

        mutating func add(_ kind: Refusal, at now: Timestamp) {
            counts[kind]?.count += 1
            counts[kind]?.last = now
        }
    }

    private let state = Mutex(Counts())

    func count(_ kind: Refusal, at now: Timestamp, requestId: String) {
        state.withLock { $0.add($0.begin(kind, at: now, requestId: requestId).kind, at: now) }
    }

    /// Counts something that was allowed, unless it is the first of its kind in this minute, or beyond the caller's budget in this hour.
    /// - Returns: whether it is that first one: it is not counted, and has to be written at once.
    func isFirst(_ kind: Refusal, at now: Timestamp, requestId: String) -> Bool {
        state.withLock { state in
            let (kind, isFirst) = state.begin(kind, at: now, requestId: requestId)
            if !isFirst { state.add(kind, at: now) }
            return isFirst
        }
    }

    /// Takes back ``isFirst(_:at:requestId:)``: it could not be written.
    func forget(_ kind: Refusal) {
        state.withLock { state in
            if state.counts.removeValue(forKey: kind) == nil { state.counts[kind.merged] = nil }
        }
    }

    /// The occasion on which counts are taken out; it decides which.
    enum Occasion {
        /// Those whose time is over.
        case passing
        /// All that a reader would miss; merged ones at most once a minute, because there may be many readers.
        case reading
        /// All.
        case ending
    }

    /// Takes out what is ready for the audit, the oldest first.
    func due(at now: Timestamp, _ occasion: Occasion) -> [AuditEntry] {
        let taken = state.withLock { state in
            let due = state.counts.filter { _, count in
                // A clock that was put back must not hold entries back.
                let age = abs(now.milliseconds - count.first.milliseconds)
                let isRead = !count.isMerged || age >= 60_000 && count.count > 0
                return occasion == .ending || occasion == .reading && isRead || age >= count.span
            }
            for kind in due.keys { state.counts[kind] = nil }
            return due
        }
        // What has the count 0 was written when it happened, and nothing like it came after it.
        return taken.filter { $0.value.count > 0 }.sorted { $0.value.first < $1.value.first }.map { kind, count in
            var detail = JSONObject()
            detail["code"] = kind.code.map(JSONValue.string)
            detail["count"] = .integer(count.count)
            detail["until"] = .string(count.last.description)
            if count.isMerged { detail["merged"] = .bool(true) }
            return AuditEntry(
                at: count.first,
                actor: kind.actor,
                action: kind.action,
                outcome: kind.code == nil ? .succeeded : .refused,
                subject: kind.subject,
                address: kind.address,
                requestId: count.requestId,
                detail: detail
            )
        }
    }
}
