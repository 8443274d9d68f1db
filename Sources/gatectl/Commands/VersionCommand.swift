import ArgumentParser
import GateJSON
import GateModel

struct VersionCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "version",
        abstract: "The version of gatectl.",
        discussion: """
            EXAMPLE
              gatectl version --json
            """
    )

    @OptionGroup var common: CommonOptions

    static let version = Release.current.description

    func execute(_ console: Console) async throws {
        console.isJSON ? console.json(Document.of(["version": .string(Self.version)])) : console.data("gatectl \(Self.version)")
    }
}
