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

    private static func isClosed(_ stream: Int32) -> Bool { fcntl(stream, F_GETFD) < 0 && errno == EBADF }
}
