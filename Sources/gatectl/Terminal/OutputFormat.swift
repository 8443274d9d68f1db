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
