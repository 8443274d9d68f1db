import GateJSON
import GateModel
import GateService
import Logging

extension FailureLog {
    /// The service's failures as records of the log: the sentence is the message, everything else its metadata.
    convenience init(_ log: Logger) {
        @Sendable func write(_ failure: Failure) {
            let metadata = Logger.Metadata(
                uniqueKeysWithValues: failure.fields.map { name, value in
                    (name, numbers.contains(name) ? Int(value).map { .stringConvertible($0) } ?? .string(value) : .string(value))
                }
            )
            log.log(level: failure.level, "\(failure.sentence)", metadata: metadata)
        }
        self.init(now: { .now }, line: write)
    }
}

/// The fields of a failure that are codes of SQLite and the system.
private let numbers: Set = ["sqlite", "errno"]

extension Failure {
    fileprivate var level: Logger.Level {
        switch stage {
        case .once, .began: .error
        case .more: .warning
        case .ended: .notice
        }
    }
}

/// The recurring work of the program itself.
extension Chore {
    static let opening = Chore("Opening the database", by: "start")
    static let historyCheck = Chore("Checking the history", by: "history check")
    static let oldFeeds = Chore("Reading how far the feeds had come", by: "start")
    static let rescue = Chore("Saving what the database's removed files held", by: "housekeeping")
    static let resets = Chore("Carrying out a request of this machine's shell", by: "housekeeping")
    static let closing = Chore("Closing the database", by: "stop")
    static let anchor = Chore("Writing the anchor", by: "housekeeping")
    static let oldAnchor = Chore("Reading the anchor", by: "start")
    static let anchorCopy = Chore("Writing the anchor's copy", by: "housekeeping")
    static let oldAnchorCopy = Chore("Reading the anchor's copy", by: "start")
    static let reach = Chore("Writing the counts of reach", by: "housekeeping")
    static let oldReach = Chore("Reading the counts of reach", by: "start")
}
