import Foundation

/// The waits that threads of this process are in at the moment, as futex(2) takes them.
package enum FutexWaits {
    /// Whether a thread waits until a time of the clock that people set; such a wait lasts as long as that clock is put back. Returns as
    /// soon as a thread of that name waits with a limit.
    /// - Parameter name: the thread's, of which Linux keeps 15 bytes.
    @available(*, noasync)
    package static func dependOnTheSetClock(ofThread name: String) throws -> Bool {
        var found: Bool?
        try blockUntil("the thread \(name) waits") {
            found = current(ofThread: name)
            return found != nil
        }
        return found == true
    }

    private static func current(ofThread name: String) -> Bool? {
        // A thread can end while its files are read: then it waits for nothing.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let waits = threads.lazy.filter { text("\($0)/comm") == name + "\n" }.compactMap { wait(text("\($0)/syscall")) }
        return waits.first
    }

    private static func text(_ file: String) -> String? { try? String(contentsOfFile: "/proc/self/task/" + file, encoding: .utf8) }

    /// A system call's number, and its arguments in hexadecimal: a word's address, what is asked, a value, and the address of a limit.
    private static func wait(_ call: String?) -> Bool? {
        let words = call?.split(separator: " ") ?? []
        guard words.count > 4, numbers.contains(words[0]), words[4] != "0x0" else { return nil }
        return Int(words[2].dropFirst(2), radix: 16).map { $0 & ofRealTime != 0 }
    }

    /// futex(2) and restart_syscall(2), as which a wait for a span goes on, with its arguments, after the process was stopped.
    #if arch(x86_64)
        private static let numbers: [Substring] = ["202", "219"]
    #else
        private static let numbers: [Substring] = ["98", "128"]
    #endif

    /// FUTEX_CLOCK_REALTIME of linux/futex.h.
    private static let ofRealTime = 256
}
