import Dispatch
import GateJSON
import Logging

/// Log records as JSON lines: one object a line, whatever is in the message. They are made on the thread that logs and written on another.
struct JSONLines: LogHandler {
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    private let queue: LogQueue

    /// The most bytes of one value: an error may quote what somebody sent.
    private static let maximumBytes = 4_096

    init(queue: LogQueue) { self.queue = queue }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var metadata = metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
        if let error = event.error, metadata["error"] == nil { metadata["error"] = "\(error)" }
        let isUrgent = event.level == .critical
        queue.append(Self.line(event.level, event.message.description, metadata), isUrgent: isUrgent)
        // A critical line may be the last that is heard from this process.
        if isUrgent { queue.flush(patience: .milliseconds(250)) }
    }

    /// One line with its end.
    static func line(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata = [:]) -> [UInt8] {
        var record: JSONObject = [
            "time": .string(Timestamp.now.description), "level": .string(level.rawValue), "message": .string(cut(message)),
        ]
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { record[key] = json(value) }
        return JSONValue.object(record).bytes + [0x0A]
    }

    /// A whole number is a number in the line too, so that it can be searched for.
    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        if case .stringConvertible(let number as Int) = value { return .integer(number) }
        return .string(cut(value.description))
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= maximumBytes ? text : String(decoding: text.utf8.prefix(maximumBytes), as: UTF8.self) + " (cut)"
    }
}
