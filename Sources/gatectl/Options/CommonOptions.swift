import ArgumentParser

/// What every command has.
struct CommonOptions: ParsableArguments {
    @OptionGroup(title: "Server") var connection: ConnectionOptions
    @OptionGroup(title: "Output") var output: OutputOptions
}
