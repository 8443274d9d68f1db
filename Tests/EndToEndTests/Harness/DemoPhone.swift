import Foundation
import GateJSON
import GateTesting
import Synchronization

/// `gatekit-demo` beside a server: a phone whose lines are read as they come.
final class DemoPhone: Sendable {
    private struct State {
        var lines: [JSONObject] = []
        var hasEnded = false
    }

    private let process: Process
    private let input: Pipe
    private let state = Mutex(State())

    init(_ arguments: [String]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.gatekitDemo)
        process.arguments = arguments
        process.environment = Server.environment
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let handle = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            var bytes: [UInt8] = []
            while case let more = handle.availableData, !more.isEmpty {
                bytes += more
                while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(bytes[..<end])
                    bytes.removeSubrange(...end)
                    // A line that is no object is one that no test waits for; the count of lines shows it.
                    self?.add((try? JSONReader.read(line))?.object ?? [:])
                }
            }
            self?.end()
        }
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    private func add(_ line: JSONObject) { state.withLock { $0.lines.append(line) } }

    private func end() { state.withLock { $0.hasEnded = true } }

    var lines: [JSONObject] { state.withLock { $0.lines } }

    /// The n-th line, counted from one; waits for it.
    func line(_ number: Int) async throws -> JSONObject {
        try await waitUntil("the phone has said \(number) lines") { state.withLock { $0.lines.count >= number || $0.hasEnded } }
        let lines = lines
        guard lines.count >= number else { throw HarnessError("the phone ended after \(lines.count) lines") }
        return lines[number - 1]
    }

    /// Waits until the phone shows this.
    func wait(forDecision decision: String, after start: Int = 0) async throws -> JSONObject {
        var number = start + 1
        while true {
            let line = try await line(number)
            if line["decision"]?.string == decision { return line }
            number += 1
        }
    }

    /// An event of the app, such as `foreground`.
    func tell(_ word: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((word + "\n").utf8)) }
}
