import ArgumentParser

/// Which server, and how long to wait for it.
struct ConnectionOptions: ParsableArguments {
    @Option(name: .long, help: "The context to use (see gatectl context list).")
    var context: String?

    @Option(name: .long, help: "How long to wait for the server, such as 10s. Default: GATECTL_TIMEOUT, else 10s.")
    var timeout: Span?
}

extension ConnectionOptions {
    /// The settings of this process.
    /// - Parameter server: an address given as an option, where the command has one.
    func settings(server: String? = nil) throws(Failure) -> Settings {
        try Settings.resolve(
            context: context,
            timeout: timeout,
            server: server,
            environment: ProcessEnvironment.variables,
            workingDirectory: FileSystem.workingFolder
        )
    }
}
