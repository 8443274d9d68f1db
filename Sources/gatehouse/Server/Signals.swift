import Foundation
import GateStore

/// The signals that the server obeys, taken in one place instead of in a handler, where hardly anything may be called.
enum Signals {
    /// To be called before any other thread is started: threads inherit the mask. SIGPIPE is ignored for the whole process, because a
    /// client that goes away must not end it.
    static func hold() {
        signal(SIGPIPE, SIG_IGN)
        var set = endings
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// A file that may grow no further (`ulimit -f`, `LimitFSIZE=`) must not end the process, and the feeds with it, nor leave a passing
    /// file behind: what is written gets an error, as on a full disk. To be called before any other thread is started.
    static func outliveFileLimits() { signal(SIGXFSZ, SIG_IGN) }

    /// Waits for SIGTERM or SIGINT and says which it was.
    /// - Parameter hangUp: called for each SIGHUP meanwhile: a terminal that closes, or somebody who wants things read again, must not end
    ///   the server.
    static func wait(hangUp: () -> Void) -> Int32 {
        var set = endings
        var signal: Int32 = 0
        while true {
            guard sigwait(&set, &signal) == 0 else { continue }
            guard signal == SIGHUP else { return signal }
            hangUp()
        }
    }

    /// For a command that works on copies of secrets, to be called before any other thread is started: when a signal ends the command, its
    /// passing files are removed first. The caller's shell still learns which signal it was.
    static func removePassingFiles() {
        var set = sigset_t()
        sigemptyset(&set)
        // One that is ignored, as under nohup, would be taken by `sigwait` nevertheless.
        for signal in all where !isIgnored(signal) { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let endings = set
        Thread {
            var (set, received) = (endings, Int32(0))
            while sigwait(&set, &received) != 0 {}
            PassingFiles.removeAll {
                signal(received, SIG_DFL)
                var one = sigset_t()
                sigemptyset(&one)
                sigaddset(&one, received)
                pthread_sigmask(SIG_UNBLOCK, &one, nil)
                raise(received)
                exit(128 + received)  // never reached: each of them ends a process by default
            }
        }.start()
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static let all = [SIGTERM, SIGINT, SIGHUP]

    private static var endings: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in all { sigaddset(&set, signal) }
        return set
    }
}
