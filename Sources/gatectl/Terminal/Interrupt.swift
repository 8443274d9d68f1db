import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Ctrl-C, a terminal that goes away and a polite kill, as by `timeout`: says whether a write had been sent, and ends the process with 128
/// plus the signal's number, so 130, 129 or 143.
enum Interrupt {
    enum Moment: UInt8, Sendable, AtomicRepresentable {
        /// Reading only: there is nothing to tell.
        case reading
        /// A command that writes, before it has sent its write.
        case beforeWrite
        /// The write has been sent and is not answered.
        case writing
        /// The write is done; the command waits for phones to fetch it.
        case waiting
        /// Ctrl-C belongs to the pager.
        case paging
    }

    private static let state = State()

    /// The terminal settings to restore if the process is interrupted while something is typed unseen; nil if they are unchanged.
    static func restoringTerminal(_ settings: termios?) {
        if let settings { state.terminal.pointee = settings }
        state.isUnseen.store(settings != nil, ordering: .releasing)
    }

    static func now(_ new: Moment) { state.moment.store(new, ordering: .releasing) }

    /// The command will report the outcome; if it then waits for something else, it sets that moment itself.
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
        // Only while a pager runs do system calls go on after the signal; they must not fail because of it.
        action.sa_flags = SA_RESTART
        sigaction(SIGINT, &action, nil)
        // The thread that started us may have the signal blocked, and a blocked signal is inherited.
        var interrupts = sigset_t()
        sigemptyset(&interrupts)
        sigaddset(&interrupts, SIGINT)
        for ending in [SIGTERM, SIGHUP] {
            // Whoever starts it with `nohup` wants it to go on.
            var before = sigaction()
            sigaction(ending, nil, &before)
            guard !isIgnored(before) else { continue }
            sigaction(ending, &action, nil)
            sigaddset(&interrupts, ending)
        }
        pthread_sigmask(SIG_UNBLOCK, &interrupts, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Everything that the handler may read. It exists before the handler is installed, and is never freed.
    private final class State: @unchecked Sendable {
        // Unchecked: the terminal's settings are written only by the thread that asks, before isUnseen says that they are there.
        let moment = Atomic(Moment.reading)
        let isUnseen = Atomic(false)
        let terminal = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        /// What is said after ``Moment/writing``: the command to look with, which names the server if an option did.
        let look: UnsafeMutableBufferPointer<UInt8>

        init() {
            terminal.initialize(to: termios())
            let words = Array("  next: \(Invocation.sameServer("status"))\n".utf8)
            look = .allocate(capacity: words.count)
            _ = look.initialize(from: words)
        }
    }

    /// Runs in the middle of whatever the thread was doing, so it takes no lock, allocates no memory, and calls only what POSIX lets a
    /// handler call: write, tcsetattr and _exit. (With a thread that waits for the signal, every command would have to start that thread.)
    private static let handle: @convention(c) (Int32) -> Void = { signal in
        let words: StaticString
        var look = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
        switch state.moment.load(ordering: .acquiring) {
        case .paging where signal == SIGINT: return
        case .reading, .paging: words = ""
        case .beforeWrite: words = "\ninterrupted: nothing was changed\n"
        case .waiting: words = "\ninterrupted: the change is made; only the waiting ends\n"
        case .writing:
            words = "\ninterrupted: the request had left; the change may or may not have been made\n"
            look = state.look
        }
        // The result does not matter: the process ends in the next lines anyway.
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        if let start = look.baseAddress { _ = write(STDERR_FILENO, start, look.count) }
        if state.isUnseen.load(ordering: .acquiring) { tcsetattr(STDIN_FILENO, TCSANOW, state.terminal) }
        _exit(128 + signal)
    }
}
