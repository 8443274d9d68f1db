import Foundation
import GateTesting

/// What a program left behind when it ended.
struct Outcome: Sendable, CustomStringConvertible {
    var status: Int32
    var out: String
    var err: String

    var description: String { "status \(status)\n--- standard output\n\(out)\n--- standard error\n\(err)" }
}

/// Runs a program to its end on pipes.
/// - Parameters:
///   - environment: the whole environment of the program.
///   - input: what stands on its standard input.
///   - folder: its working directory.
func run(_ program: String, _ arguments: [String], environment: [String: String], input: String = "", in folder: String? = nil) async throws
    -> Outcome
{
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    try process.run()
    let watch = killing(process, after: .seconds(300))
    defer { watch.cancel() }
    stdin.offer(input)
    try stdin.fileHandleForWriting.close()
    async let out = text(of: stdout)
    async let err = text(of: stderr)
    let (outText, errText) = (await out, await err)
    await ended(process)
    return Outcome(status: process.terminationStatus, out: outText, err: errText)
}

/// Kills a process that is still there when the limit is over: a program that hangs is a test that fails, and not a run that never ends.
func killing(_ process: Process, after limit: Duration) -> Task<Void, any Error> {
    Task {
        try await Task.sleep(for: limit)
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}

/// Everything from a pipe until its end, read off the threads of the tests.
private func text(of pipe: Pipe) async -> String {
    let handle = pipe.fileHandleForReading
    return await withCheckedContinuation { continuation in
        DispatchQueue(label: "pipe").async { continuation.resume(returning: String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)) }
    }
}

/// Waits for a process off the threads of the tests.
func ended(_ process: Process) async {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "wait").async {
            process.waitUntilExit()
            continuation.resume()
        }
    }
}
