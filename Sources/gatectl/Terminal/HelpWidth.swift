#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How wide help is.
enum HelpWidth {
    /// The columns before an option's explanation, and room for its longest words.
    private static let least = 40

    /// Gives the argument parser, which takes the width from `COLUMNS` and else from the terminal, no less than it can write in: beside
    /// options narrower than their names it leaves every explanation out, or traps. `COLUMNS=0` comes from some containers and editors.
    /// To be called early, before anything else runs that may read the environment.
    static func keep() {
        // What a pager is given is as it was.
        let said = ProcessEnvironment.variables["COLUMNS"].flatMap { Int($0) }
        var terminal = winsize()
        let seen = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &terminal) == 0 && terminal.ws_col > 0 ? Int(terminal.ws_col) : nil
        if let width = said ?? seen, width < least { setenv("COLUMNS", String(least), 1) }
    }
}
