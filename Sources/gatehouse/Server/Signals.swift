import Foundation

/// The signals that the server obeys, taken in one place instead of in a handler, where hardly anything may be called.
enum Signals {
    /// To be called before any other thread is started: threads inherit the mask. SIGPIPE is ignored for the whole process, because a
    /// client that goes away must not end it.
    static func hold() {
        signal(SIGPIPE, SIG_IGN)
        var set = endings
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

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

    private static var endings: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGHUP)
        return set
    }
}
