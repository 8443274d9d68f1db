import GateServer
import Logging

/// What the listeners report, on its way to the log: changes one by one; refusals and libmicrohttpd's complaints only a few of each kind a
/// minute, because a stranger can cause any number of them. The others are counted and reported when the minute is over.
///
/// Any thread.
struct RefusalLog: Sendable {
    private let log: Logger
    private let limit = LineLimit()

    /// How many kinds one line names.
    private static let kindsTold = 10

    init(_ log: Logger) { self.log = log }

    /// Lines left out so far.
    var withheldCount: UInt64 { limit.withheldCount }

    /// A request of the admin listener.
    @Sendable func note(_ record: AccessRecord) {
        guard record.status < 400 || limit.admits("\(record.method) \(record.pattern) \(record.status)") else { return }
        log.info(
            "request",
            metadata: [
                "method": "\(record.method)", "pattern": "\(record.pattern)", "status": .stringConvertible(Int(record.status)),
                "microseconds": .stringConvertible(Int(record.microseconds)),
                "peer": "\(record.peer)", "requestId": "\(record.id)",
            ]
        )
    }

    /// A line of the HTTP library.
    @Sendable func complain(_ kind: String, _ line: String) {
        if limit.admits(kind) { log.warning("\(line)") }
    }

    /// Logs how much was left out; to be called about once a second.
    /// - Parameter all: also what was left out in the present minute.
    func tell(all: Bool = false) {
        let withheld = limit.takeWithheld(all: all)
        guard !withheld.isEmpty else { return }
        let kinds = withheld.prefix(Self.kindsTold).map { "\($0.count) \($0.kind)" }.joined(separator: ", ")
        let total = withheld.reduce(0) { $0 + $1.count }
        log.notice("\(total) refusals or complaints were not logged, because they were like others", metadata: ["kinds": "\(kinds)"])
    }
}
