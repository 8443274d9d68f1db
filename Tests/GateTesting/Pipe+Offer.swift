import Foundation

extension Pipe {
    /// Writes what a program is to find on its standard input. A program that has ended, or reads nothing, ends neither the test nor the
    /// process of all tests.
    package func offer(_ text: String) {
        _ = ignoringBrokenPipes
        // Whether it was read shows in what the program does.
        try? fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }
}

private let ignoringBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
