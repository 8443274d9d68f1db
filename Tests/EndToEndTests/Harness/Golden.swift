import Foundation
import Testing

/// Compares a text with a file of `Golden/`, after replacing what differs at every run.
///
/// With `UPDATE_GOLDEN=1` in the environment the file is written anew; look at the difference before committing it.
func expectGolden(_ name: String, _ text: String, server: Server, location: SourceLocation = #_sourceLocation) throws {
    let text = steady(text, server: server)
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
        "Golden/\(name).txt"
    )
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try text.write(to: file, atomically: true, encoding: .utf8) }
    let wanted = try String(contentsOf: file, encoding: .utf8)
    #expect(text == wanted, "Golden/\(name).txt", sourceLocation: location)
}

/// The text with addresses, times, ages and request ids replaced by words.
private func steady(_ text: String, server: Server) -> String {
    var text = text.replacingOccurrences(of: server.admin, with: "SERVER").replacingOccurrences(of: server.feeds, with: "FEEDS")
    let patterns = [
        #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"#: "TIME", #"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"#: "TIME", #"\b[0-9a-f]{64}\b"#: "SHA256",
        #"("requestId":|request: )"?[0-9a-f]{16}"?"#: "$1ID", #"\b\d+s ago"#: "AGE ago",
        // A table's column is as wide as its longest age, which is another one on a busy machine.
        #"\b\d+s {2,}"#: "AGE  ", #"in \d+ ms"#: "in MS ms",
    ]
    for (pattern, word) in patterns.sorted(by: { $0.key.count > $1.key.count }) {
        text = text.replacingOccurrences(of: pattern, with: word, options: .regularExpression)
    }
    return text
}
