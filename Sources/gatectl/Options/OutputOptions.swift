import ArgumentParser

struct OutputOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .customLong("output")], help: "How to print: table, wide, plain (tab-separated, stable) or json.")
    var output: OutputArgument?

    @Flag(name: .long, help: "Print one JSON document (same as -o json).")
    var json = false

    @Flag(name: [.short, .long], help: "Only the answer and errors; no context, plan or hints.")
    var quiet = false

    @Flag(name: [.short, .long], help: "Show each request and its status.")
    var verbose = false

    @Flag(name: .customLong("no-color"), help: "No colour; NO_COLOR and TERM=dumb do the same.")
    var noColour = false

    @Flag(name: .long, help: "Show times in UTC only.")
    var utc = false

    @Flag(name: .customLong("no-input"), help: "Never ask; stop with exit code 3 instead. Also GATECTL_NO_INPUT=1.")
    var noInput = false

    var format: OutputFormat { json ? .json : output?.format ?? .table }

    /// The file that the answer goes to; only an export takes one.
    var file: String? { output?.file }

    func validate() throws {
        if json, let format = output?.format, format != .json {
            throw ValidationError("--json and -o \(format.rawValue) contradict each other.")
        }
    }

    /// For every command that writes no file.
    func requireFormat() throws {
        guard let file else { return }
        throw ValidationError("The value '\(file)' is invalid for '-o <output>'. Please provide one of 'table', 'wide', 'plain' or 'json'.")
    }
}

extension OutputOptions {
    /// This process's streams, set up as the options say.
    func console(environment: [String: String]) -> Console {
        Console(
            format: format,
            isQuiet: quiet,
            isVerbose: verbose,
            inUTC: utc,
            noColour: noColour,
            noInput: noInput,
            environment: environment
        )
    }
}
