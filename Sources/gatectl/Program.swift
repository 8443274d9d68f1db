#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@main
enum Program {
    static func main() {
        MainThread.run {
            await Gatectl.main()
            // Nothing is left to tidy: answers are written without a buffer of ours, settings and files before they are told of. What the libraries
            // take down at an orderly end, the tables of OpenSSL among it, goes with the process.
            fflush(nil)
            _exit(0)
        }
    }
}
