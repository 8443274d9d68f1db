import ArgumentParser

extension Console {
    /// Ends a command that only prints.
    func end() throws(ExitCode) {
        do { try Self.requireOutput() } catch {
            Report(failure: error, console: self).print()
            throw ExitCode(error.exit)
        }
    }

    /// Ends a command that would go on for ever when nothing of what it prints arrives any more. To be called again and again.
    static func requireReader() throws(ExitCode) {
        if lost != nil { throw ExitCode(Exit.done) }
    }
}
