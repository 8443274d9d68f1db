import GateHTTP
import Synchronization

/// What one listener did: requests by pattern and status, their durations, refusals at the edge. Any thread.
package final class ListenerMetrics: Sendable {
    /// A row of the count of requests. Patterns come from the route table, never from a URL, so there are few.
    struct Request: Hashable, Sendable {
        let method: String
        let pattern: String
        let status: Int
    }

    /// `feeds` or `admin`.
    package let name: String
    // Ready-made answers, nearly all of the traffic, are counted without a lock.
    private let fetched = Counter()
    private let unchanged = Counter()
    private let others = Mutex<[Request: UInt64]>([:])
    private let refusals = Mutex<[String: UInt64]>([:])
    private let signInFailures = Counter()
    let durations = Histogram()
    let writes = Histogram()

    package init(name: String) {
        self.name = name
    }

    func finished(_ exchange: FinishedExchange) {
        durations.record(exchange.duration)
        guard exchange.isPrepared else { return }
        // Phones poll with GET. Monitoring may well check a feed with HEAD, and must not hide it when the phones fall silent.
        if exchange.method == .head {
            answered(.head, pattern: Self.prepared, status: exchange.status, isRefusedSignIn: false)
        } else if exchange.status == 304 {
            unchanged.add(1)
        } else {
            fetched.add(1)
        }
    }

    func answered(_ method: HTTPMethod, pattern: String, status: Int, isRefusedSignIn: Bool) {
        others.withLock { $0[Request(method: method.rawValue, pattern: pattern, status: status), default: 0] += 1 }
        if isRefusedSignIn { signInFailures.add(1) }
    }

    func refused(_ code: String) {
        refusals.withLock { $0[code, default: 0] += 1 }
    }

    /// The pattern of ready-made answers: feeds, and files of the dashboard.
    static let prepared = "prepared"

    var requests: [(request: Request, count: UInt64)] {
        let prepared = [
            (Request(method: "GET", pattern: Self.prepared, status: 200), fetched.value),
            (Request(method: "GET", pattern: Self.prepared, status: 304), unchanged.value),
        ]
        let others = others.withLock { $0 }.map { ($0.key, $0.value) }.sorted {
            ($0.0.pattern, $0.0.method, $0.0.status) < ($1.0.pattern, $1.0.method, $1.0.status)
        }
        return prepared + others
    }

    var refusedByCode: [(code: String, count: UInt64)] {
        refusals.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var signInFailureCount: UInt64 { signInFailures.value }
}
