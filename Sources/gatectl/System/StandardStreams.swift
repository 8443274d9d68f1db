#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Standard input, output and error as the process was given them.
enum StandardStreams {
    /// Whether standard output was closed when the process began, as after `>&-`. To be read once before anything is opened.
    static let isOutputClosed: Bool = {
        let isGone = isClosed(STDOUT_FILENO)
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where isClosed(stream) {
            // The lowest free number is given, which is this one. Without it the first connection or file would get it, and with it
            // whatever gatectl prints.
            _ = open("/dev/null", O_RDWR)
        }
        return isGone
    }()

    /// Lets gatectl go on when a pipe that it writes to has lost its reader. The signal would end it in the middle: nobody would learn that
    /// a change is made, or that a new token has been lost. To be called early.
    static func outliveReaders() { signal(SIGPIPE, SIG_IGN) }

    private static func isClosed(_ stream: Int32) -> Bool { fcntl(stream, F_GETFD) < 0 && errno == EBADF }
}
