import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Ctrl-C: says whether a write had left, and ends the process with 130.
enum Interrupt {
    enum Moment: UInt8, Sendable, AtomicRepresentable {
        /// Reading only: there is nothing to tell.
        case reading
        /// A command that writes, before it has sent its write.
        case beforeWrite
        /// The write has left and is not answered.
        case writing
        /// The write is done; what it brought is waited for.
        case waiting
        /// Ctrl-C is the pager's.
        case paging
    }

    private static let state = State()

    /// How the terminal must be left when the process is interrupted while something is typed unseen; nil when it is as it was.
    static func restoringTerminal(_ settings: termios?) {
        if let settings { state.terminal.pointee = settings }
        state.isUnseen.store(settings != nil, ordering: .releasing)
    }

    static func now(_ new: Moment) { state.moment.store(new, ordering: .releasing) }

    /// What it came to will be said; who goes on waiting for something else says so.
    static func writeIsAnswered() {
        _ = state.moment.compareExchange(expected: .writing, desired: .reading, ordering: .acquiringAndReleasing)
    }

    /// Call once, early.
    static func install() {
        _ = state
        var action = sigaction()
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = handle
        #else
            action.__sigaction_u.__sa_handler = handle
        #endif
        // Of the calls that go on after the signal only those of a pager do; they are not to fail because of it.
        action.sa_flags = SA_RESTART
        sigaction(SIGINT, &action, nil)
        // A program with many threads may have it held back in the one that starts us, and what is held back is inherited.
        var interrupts = sigset_t()
        sigemptyset(&interrupts)
        sigaddset(&interrupts, SIGINT)
        pthread_sigmask(SIG_UNBLOCK, &interrupts, nil)
    }

    /// Everything that the handler may read. It is there before the handler is, and never goes.
    private final class State: @unchecked Sendable {
        // Unchecked: the terminal's settings are written before isUnseen says that they are there, and by the one thread that asks.
        let moment = Atomic(Moment.reading)
        let isUnseen = Atomic(false)
        let terminal = UnsafeMutablePointer<termios>.allocate(capacity: 1)

        init() { terminal.initialize(to: termios()) }
    }

    /// Runs in whatever the thread was doing, so it takes no lock and no memory, and calls what POSIX lets a handler call: write, tcsetattr
    /// and _exit. (A thread that waits for the signal would cost every command its start.)
    private static let handle: @convention(c) (Int32) -> Void = { _ in
        let words: StaticString
        switch state.moment.load(ordering: .acquiring) {
        case .paging: return
        case .reading: words = ""
        case .beforeWrite: words = "\ninterrupted: nothing was changed\n"
        case .waiting: words = "\ninterrupted: the change is made; only the waiting ends\n"
        case .writing: words = "\ninterrupted: the request had left; the change may or may not have been made\n  next: gatectl status\n"
        }
        // The process ends in the next lines whatever becomes of the words.
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        if state.isUnseen.load(ordering: .acquiring) { tcsetattr(STDIN_FILENO, TCSANOW, state.terminal) }
        _exit(Exit.interrupted.rawValue)
    }
}
