import ArgumentParser

/// Which server, and how long to wait for it.
struct ConnectionOptions: ParsableArguments {
    @Option(name: .long, help: "The context to use (see gatectl context list).")
    var context: String?

    @Option(name: .long, help: "How long to wait for the server, such as 10s. Default: GATECTL_TIMEOUT, else 10s.")
    var timeout: Span?
}

/// What every command has.
struct CommonOptions: ParsableArguments {
    @OptionGroup(title: "Server") var connection: ConnectionOptions
    @OptionGroup(title: "Output") var output: OutputOptions
}
