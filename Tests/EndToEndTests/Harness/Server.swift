import Foundation
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

/// A real server with a data folder of its own, on free ports of the loopback interface.
final class Server: @unchecked Sendable {
    // Unchecked: the process is replaced by start() and stop(), which one test calls one after the other.
    let folder: TemporaryFolder
    /// An admin's token, made by `gatehouse init`.
    let token: String
    private let options: [String]
    /// What the shell that starts the server sets before, such as `000`; nil for the machine's own.
    var umask: String?
    /// What its environment has beside that of all servers.
    var variables: [String: String] = [:]
    private var process: Process?
    private(set) var admin = ""
    private(set) var feeds = ""

    /// Starts a server with one administrator, one token and nothing else.
    /// - Parameter options: more options of `gatehouse serve`, such as `--protected`.
    static func start(_ options: String...) async throws -> Server { try await start(options: options) }

    static func start(options: [String]) async throws -> Server {
        let template = try await Template.shared.folder()
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: template.folder.path + "/data", toPath: folder.path + "/data")
        let server = Server(folder: folder, token: template.token, options: options)
        try await server.start()
        return server
    }

    init(folder: TemporaryFolder, token: String, options: [String]) {
        self.folder = folder
        self.token = token
        self.options = options
    }

    deinit {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        // The folder goes next; a server that still writes into it would leave half of it behind.
        process.waitUntilExit()
    }

    /// Nil while it is stopped.
    var processIdentifier: Int32? { process?.processIdentifier }

    var data: String { folder.path + "/data" }

    /// What it wrote to standard error since its last start, where that is not a pipe.
    var log: String { get throws { try String(contentsOfFile: folder.path + "/log", encoding: .utf8) } }

    /// Starts the server again on its data; on new ports.
    /// - Parameters:
    ///   - address: an address to listen on in place of a free port.
    ///   - standardError: where its log goes; nil for a file that ``log`` reads.
    ///   - standardOutput: where its ready line goes, which is then read from the log; nil for a pipe.
    func start(admin address: String = "127.0.0.1:0", standardError: Pipe? = nil, standardOutput: FileHandle? = nil) async throws {
        let process = Process()
        let arguments = ["serve", "--data", data, "--listen", address, "--feeds", "127.0.0.1:0"] + Self.assets + options
        process.executableURL = URL(fileURLWithPath: umask == nil ? Programs.gatehouse : "/bin/sh")
        process.arguments = umask.map { ["-c", "umask \($0); exec \"$0\" \"$@\"", Programs.gatehouse] + arguments } ?? arguments
        process.environment = Self.environment.merging(variables) { $1 }
        let log = folder.path + "/log"
        guard FileManager.default.createFile(atPath: log, contents: nil) else { throw HarnessError("cannot write \(log)") }
        process.standardError = standardError ?? FileHandle(forWritingAtPath: log)
        process.standardInput = FileHandle.nullDevice
        let stdout = Pipe()
        process.standardOutput = standardOutput ?? stdout
        try process.run()
        let watch = killing(process, after: .seconds(120))
        defer { watch.cancel() }
        let line = standardOutput == nil ? await Self.line(of: stdout) : try await readyLine(of: process)
        guard let ready = try? JSONReader.read(line).object, let admin = ready["admin"]?.string, let feeds = ready["feeds"]?.string else {
            process.terminate()
            throw HarnessError(
                "the server said \(line.debugDescription) and logged \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")"
            )
        }
        self.admin = admin
        self.feeds = feeds
        self.process = process
    }

    /// SIGTERM, and the exit status.
    @discardableResult
    func stop() async -> Int32 { await end(SIGTERM) }

    /// SIGHUP: as a terminal that closes.
    func hangUp() { if let process { Foundation.kill(process.processIdentifier, SIGHUP) } }

    /// SIGKILL: as a power cut looks to the program.
    func kill() async { await end(SIGKILL) }

    /// Stops it answering without ending it, as a hanging disk does. When this returns, none of its threads runs: on a busy machine some go
    /// on for a while after the signal.
    func freeze() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGSTOP)
        let tasks = "/proc/\(process.processIdentifier)/task"
        func isStopped(_ task: String) -> Bool {
            // A thread that has ended meanwhile does not run either. The state stands behind the program's name in parentheses.
            guard let stat = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8) else { return true }
            return stat.components(separatedBy: ") ").last?.hasPrefix("T") == true
        }
        let end = ContinuousClock.now + .seconds(60)
        while let running = try? FileManager.default.contentsOfDirectory(atPath: tasks), !running.allSatisfy(isStopped) {
            guard ContinuousClock.now < end else {
                Issue.record("waited in vain for 60 s until no thread of the server runs")
                return
            }
            usleep(1_000)
        }
    }

    /// Waits until bytes of a caller lie unread at the admin listener, which a frozen server leaves there.
    func waitForUnreadBytes() throws {
        let port = try #require(admin.split(separator: ":").last.flatMap { UInt16($0) })
        let address = ":" + String(format: "%04X", Int(port))
        let end = ContinuousClock.now + .seconds(60)
        while true {
            // proc(5): number, local address, remote address, state, and the lengths of the queues for sending and receiving.
            let isUnread = try Self.bytes(ofKernelTable: "/proc/net/tcp").split(separator: UInt8(ascii: "\n")).contains { line in
                let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
                guard words.count > 4, words[1].reversed().starts(with: address.utf8.reversed()) else { return false }
                let (state, queues) = (String(decoding: words[3], as: UTF8.self), String(decoding: words[4], as: UTF8.self))
                return (state == "01" || state == "08") && !queues.hasSuffix(":00000000")
            }
            if isUnread { return }
            guard ContinuousClock.now < end else { throw HarnessError("waited in vain for 60 s until bytes lie unread at \(admin)") }
            usleep(1_000)
        }
    }

    /// Foundation takes a short read for the end of a file, and the kernel's tables come in pieces.
    private static func bytes(ofKernelTable path: String) throws -> [UInt8] {
        let file = try #require(FileHandle(forReadingAtPath: path))
        defer { try? file.close() }  // only read
        var bytes: [UInt8] = []
        while case let piece = file.availableData, !piece.isEmpty { bytes += piece }
        return bytes
    }

    /// The most memory that the process has had resident so far, in bytes.
    func peakMemory() throws -> Int {
        let process = try #require(process)
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(whereSeparator: { !$0.isNumber })[0])) << 10
    }

    func thaw() { if let process { Foundation.kill(process.processIdentifier, SIGCONT) } }

    @discardableResult
    private func end(_ signal: Int32) async -> Int32 {
        guard let process else { return -1 }
        self.process = nil
        let pid = process.processIdentifier
        Foundation.kill(pid, signal)
        let watch = killing(process, after: .seconds(120))
        defer { watch.cancel() }
        await ended(process)
        return process.terminationStatus
    }

    /// A client signed in with the token.
    /// - Parameter idempotencyKey: the key of every write; nil for a new one each time.
    func client(idempotencyKey: String? = nil) throws -> AdminClient {
        guard let address = ServerAddress(admin) else { throw HarnessError("\(admin) is no address") }
        guard let idempotencyKey else { return AdminClient(server: address, token: BearerToken(token), source: "api") }
        return AdminClient(server: address, token: BearerToken(token), source: "api", idempotencyKey: { idempotencyKey })
    }

    /// Another command of `gatehouse` on the server's data.
    func gatehouse(_ command: String, _ more: String...) async throws -> Outcome {
        let migrations = Programs.root.appendingPathComponent("Migrations").path
        return try await run(
            Programs.gatehouse,
            [command, "--data", data, "--migrations", migrations] + more,
            environment: Self.environment
        )
    }

    /// The answer of the feeds listener to a phone.
    func feed(_ path: String) async throws -> RawAnswer {
        guard let address = ServerAddress(feeds) else { throw HarnessError("\(feeds) is no address") }
        return try await AdminClient(server: address, token: nil).raw(path)
    }

    /// The text of a feed.
    func feedText(_ path: String) async throws -> String { String(decoding: try await feed(path).body, as: UTF8.self) }

    /// The environment of a server under test: nothing of the machine's own settings.
    static let environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"].merging(Sanitizers.environment) { $1 }

    static var assets: [String] {
        [
            "--public", Programs.root.appendingPathComponent("Public").path, "--migrations",
            Programs.root.appendingPathComponent("Migrations").path,
        ]
    }

    /// The line of the log that has the same addresses; empty when the process ends without it.
    private func readyLine(of process: Process) async throws -> String {
        var ready = ""
        try await waitUntil("the server is ready or has ended") {
            let isRunning = process.isRunning
            ready = try log.split(separator: "\n").first { $0.contains(#""message":"ready""#) }.map(String.init) ?? ""
            return !ready.isEmpty || !isRunning
        }
        return ready
    }

    private static func line(of pipe: Pipe) async -> String {
        let handle = pipe.fileHandleForReading
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "ready").async {
                var bytes = Data()
                while !bytes.contains(UInt8(ascii: "\n")) {
                    let more = handle.availableData
                    if more.isEmpty { break }
                    bytes.append(more)
                }
                continuation.resume(returning: String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
            }
        }
    }
}

/// A data folder as `gatehouse init` leaves it, made once and copied for each test: hashing a password takes its time.
private actor Template {
    static let shared = Template()
    private static let path = Mutex<String?>(nil)

    private var made: Task<(folder: TemporaryFolder, token: String), any Error>?

    func folder() async throws -> (folder: TemporaryFolder, token: String) {
        if let made { return try await made.value }
        let making = Task { () async throws -> (folder: TemporaryFolder, token: String) in
            let folder = try TemporaryFolder()
            let arguments = [
                "init", "--data", folder.path + "/data", "--username", "admin", "--password-stdin", "--token", "ci", "--migrations",
                Programs.root.appendingPathComponent("Migrations").path,
            ]
            let outcome = try await run(
                Programs.gatehouse,
                arguments,
                environment: Server.environment,
                input: "violet-harbour-41-lantern\n"
            )
            guard outcome.status == 0, outcome.out.hasPrefix("gate_") else { throw HarnessError("gatehouse init: \(outcome)") }
            Self.path.withLock { $0 = folder.path }
            atexit {
                // A static value is never released; what is left behind is cleared by the system.
                if let path = Template.path.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
            }
            return (folder, outcome.out.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        made = making
        return try await making.value
    }
}

struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
