import Foundation

/// Shows a text that is longer than the terminal through the program that `PAGER` names. Without a `PAGER` nothing is paged: who did not
/// ask for one must not have to know how to leave it.
enum Pager {
    /// - Returns: false when there is no pager, or when it cannot be started; then nothing was shown.
    static func show(_ text: String, environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        guard let command = environment["PAGER"], !command.allSatisfy(\.isWhitespace) else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        // Colours as they are, and no waiting for a key where all fits; what the user has chosen comes first.
        process.environment = ["LESS": "FRX"].merging(environment) { $1 }
        let pipe = Pipe()
        process.standardInput = pipe
        // Ctrl-C belongs to the pager while it runs, and a pager that is left early closes the pipe.
        Interrupt.now(.paging)
        defer { Interrupt.now(.reading) }
        signal(SIGPIPE, SIG_IGN)
        do { try process.run() } catch { return false }
        // A pager that is left before the end has read enough.
        try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try? pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus != 127
    }
}
