import Foundation

/// The signals that end the server, taken in one place instead of in a handler, where hardly anything may be called.
enum Signals {
    /// To be called before any other thread is started: threads inherit the mask. SIGPIPE is ignored for the whole process, because a
    /// client that goes away must not end it.
    static func hold() {
        signal(SIGPIPE, SIG_IGN)
        var set = endings
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for SIGTERM or SIGINT and says which it was.
    static func wait() -> Int32 {
        var set = endings
        var signal: Int32 = 0
        while sigwait(&set, &signal) != 0 {}
        return signal
    }

    private static var endings: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        return set
    }
}
