import Foundation
import GateJSON
import GateModel
import Logging

/// Log records as JSON lines on standard error: one object a line, whatever is in the message.
struct JSONLines: LogHandler {
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    let label: String

    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var record: JSONObject = [
            "time": .string(Timestamp.now.description), "level": .string(event.level.rawValue), "message": .string(event.message.description),
        ]
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key }) {
            record[key] = .string(value.description)
        }
        // One write, so that lines of several threads do not mix. A log that cannot be written must not stop the server.
        try? FileHandle.standardError.write(contentsOf: Data(JSONValue.object(record).bytes + [0x0A]))
    }
}
