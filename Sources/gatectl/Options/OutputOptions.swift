import ArgumentParser

/// How an answer is printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Fits the terminal.
    case table
    /// More columns, nothing cut.
    case wide
    /// Tab-separated, no header, stable.
    case plain
    /// `gatectl/v1`: within it members are only added.
    case json
}

struct OutputOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .customLong("output")], help: "How to print: table, wide, plain (tab-separated, stable) or json.")
    var output: OutputFormat?

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

    var format: OutputFormat { json ? .json : output ?? .table }

    func validate() throws {
        if json, let output, output != .json { throw ValidationError("--json and -o \(output.rawValue) contradict each other.") }
    }
}
