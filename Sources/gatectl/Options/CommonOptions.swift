import ArgumentParser

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @OptionGroup(title: "Server") var connection: ConnectionOptions
    @OptionGroup(title: "Output") var output: OutputOptions
}
