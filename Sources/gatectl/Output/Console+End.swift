import ArgumentParser

extension Console {
    /// Ends a command that only prints.
    func end() throws(ExitCode) {
        do { try Self.requireOutput() } catch {
            Report(failure: error, console: self).print()
            throw ExitCode(error.exit)
        }
    }
}
