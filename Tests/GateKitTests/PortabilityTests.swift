import Foundation
import GateTesting
import Testing

/// GateKit and the rooms below it are built into apps for iOS 15 and macOS 12, which this machine cannot build for. What is newer and was
/// used before by mistake is looked for by name.
@Suite struct PortabilityTests {
    static let newer = [
        "import Synchronization", "Mutex<", "ContinuousClock", "SuspendingClock", "Task.sleep(for", ".replacing(", "validating: bytes, as:",
        "validating: units, as:", "URL(filePath", ".appending(path", "Duration", "Regex", ".wholeMatch(", ".firstMatch(of",
        ".firstRange(of",
    ]

    @Test(arguments: ["GateJSON", "GateModel", "GateFeeds", "GateKit"])
    func nothingNewerThanIOS15IsUsed(room: String) throws {
        let files = try #require(FileManager.default.enumerator(atPath: ProjectFiles.root + "/Sources/\(room)"))
        var read = 0
        for case let name as String in files where name.hasSuffix(".swift") {
            read += 1
            let code = try String(contentsOfFile: ProjectFiles.root + "/Sources/\(room)/\(name)", encoding: .utf8)
                .split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            for word in Self.newer { #expect(!code.contains(word), "\(name) uses \(word)") }
            // Looking for a text in a text came with iOS 16, unless the file has Foundation's; a character, or an element of a list, did
            // not.
            guard !code.contains("import Foundation") else { continue }
            for found in code.matches(of: /(\w*)"?\.contains\((?:"(?:[^"\\]|\\.){2,}"|[a-z]+\.(?:prefix|suffix|dropFirst|dropLast)\()/) {
                // A list of parts, and no text.
                if found.output.1 != "parts" { Issue.record("\(name) uses \(found.output.0)") }
            }
        }
        #expect(read > 5)
    }
}
