import ArgumentParser
import Foundation

/// `--data` of the commands other than `serve`: from the command line, or else from `GATEHOUSE_DATA`.
struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("Folder of the database, also as \(DataOption.variable).", valueName: "dir"))
    var data: String?

    static let variable = OptionSources.variable("data")

    func validate() throws {
        guard Self.named(data) != nil else { throw ValidationError("Say which folder has the data: --data DIR, or \(Self.variable).") }
    }

    var path: String {
        guard let named = Self.named(data) else { preconditionFailure("a command line without a folder is not valid") }
        return named
    }

    /// - Parameter given: the command line's value, which takes precedence over the variable.
    /// - Returns: nil where neither names one.
    static func named(_ given: String?) -> String? {
        OptionSources.environment("data", given: given).flatMap { $0.isEmpty ? nil : $0 }
    }
}
