#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@main
enum Program {
    static func main() {
        _ = StandardStreams.isOutputClosed
        StandardStreams.outliveReaders()
        HelpWidth.keep()
        MainThread.run {
            await Gatectl.main()
            // Nothing is left to clean up: answers are written unbuffered, and settings and files before they are reported. What the
            // libraries would free at an orderly exit, such as OpenSSL's tables, goes with the process.
            fflush(nil)
            _exit(0)
        }
    }
}
