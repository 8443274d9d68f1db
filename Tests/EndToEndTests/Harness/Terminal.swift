import Foundation
import GateTesting

/// A program on a pseudo-terminal: it sees a terminal on all three streams and gets signals from its keys.
final class Terminal: @unchecked Sendable {
    // Unchecked: one test reads and writes it, from one task.
    private let master: Int32
    private let pid: pid_t
    /// Everything that was shown so far, the echo of what was typed too.
    private(set) var transcript = ""
    private var place: String.Index

    /// - Parameter columns: how wide the terminal is.
    init(_ program: String, _ arguments: [String], environment: [String: String], columns: UInt16 = 120) throws {
        place = transcript.startIndex
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard master >= 0, let slave = Self.unlock(master) else { throw HarnessError("no pseudo-terminal") }
        var size = winsize()
        size.ws_row = 40
        size.ws_col = columns
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a leader of a new session opens becomes its controlling one (POSIX, General Terminal Interface 11.1.3).
        posix_spawn_file_actions_addopen(&actions, 0, slave, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID of glibc 2.26; a macro that Swift does not see
        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid = pid_t()
        let result = posix_spawn(&pid, program, &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw HarnessError("cannot start \(program): \(String(cString: strerror(result)))") }
        self.pid = pid
    }

    deinit { close(master) }

    /// Makes the other side usable and returns its path.
    private static func unlock(_ master: Int32) -> String? {
        #if canImport(Glibc)
            // unlockpt and ptsname of glibc do just this; Swift does not see them, because they stand behind a feature macro.
            var locked: Int32 = 0
            var number: UInt32 = 0
            // TIOCSPTLCK, TIOCGPTN.
            guard ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else { return nil }
            return "/dev/pts/\(number)"
        #else
            guard grantpt(master) == 0, unlockpt(master) == 0 else { return nil }
            return String(cString: ptsname(master))
        #endif
    }

    /// Reads until `text` has been shown, after what was expected before.
    /// - Throws: when the program ends first, or nothing more comes for 20 s.
    func expect(_ text: String) throws {
        while true {
            if let range = transcript.range(of: text, range: place..<transcript.endIndex) {
                place = range.upperBound
                return
            }
            guard try readMore() else { throw HarnessError("ended without \(text.debugDescription): \(transcript)") }
        }
    }

    /// Types a text; `\u{3}` is Ctrl-C, `\u{4}` is Ctrl-D.
    func type(_ text: String) {
        var bytes = Array(text.utf8)
        _ = write(master, &bytes, bytes.count)
    }

    /// Sends the program a signal, as another process does. Before ``finish()``.
    func send(_ signal: Int32) { kill(pid, signal) }

    /// Reads to the end.
    /// - Returns: the exit status, or 128 and the signal that ended it.
    func finish() throws -> Int32 {
        while try readMore() {}
        var status: Int32 = 0
        guard waitpid(pid, &status, 0) == pid else { throw HarnessError("lost the program") }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// - Returns: false at the end.
    private func readMore() throws -> Bool {
        guard wait(20_000) else {
            kill(pid, SIGKILL)
            throw HarnessError("nothing came for 20 s: \(transcript)")
        }
        return take()
    }

    /// - Returns: false at the end, or when nothing came in time.
    fileprivate func readMore(within milliseconds: Int32) throws -> Bool { wait(milliseconds) && take() }

    private func wait(_ milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    private func take() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(master, &bytes, bytes.count)
        // Linux answers EIO once the last holder of the other side has gone.
        guard count > 0 else { return false }
        let offset = transcript.utf8.distance(from: transcript.startIndex, to: place)
        transcript += String(decoding: bytes.prefix(count), as: UTF8.self)
        place = transcript.utf8.index(transcript.startIndex, offsetBy: offset)
        return true
    }
}

extension Terminal {
    /// Whether a text is shown, now or within some milliseconds; does not end the program when it is not.
    func shows(_ text: String, within milliseconds: Int32) throws -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(Int(milliseconds))
        while !transcript.contains(text) {
            let left = (end - clock.now).components
            let wait = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
            guard wait > 0, try readMore(within: Int32(wait)) else { return transcript.contains(text) }
        }
        return true
    }
}
