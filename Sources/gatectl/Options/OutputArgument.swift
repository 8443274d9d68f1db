import ArgumentParser

/// The value of `-o`: a format, or the file of an export.
struct OutputArgument: ExpressibleByArgument {
    let format: OutputFormat?
    let file: String?

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        format = OutputFormat(rawValue: argument)
        file = format == nil ? argument : nil
    }

    static let allValueStrings = OutputFormat.allCases.map(\.rawValue)
}
