import ArgumentParser
import GateAPI
import GateAdminClient

/// A command of gatectl: runs, and turns what goes wrong into a report and an exit code.
protocol GatectlCommand: AsyncParsableCommand {
    var common: CommonOptions { get }

    /// Whether `-o` must name a format; if false, it may also name a file to write to.
    static var hasFormats: Bool { get }

    /// - Throws: ``Failure`` or `AdminClientError`; nothing else should be thrown.
    func execute(_ console: Console) async throws
}

extension GatectlCommand {
    static var hasFormats: Bool { true }

    mutating func run() async throws {
        if Self.hasFormats { try common.output.requireFormat() }
        let console = common.output.console(environment: ProcessEnvironment.variables)
        Interrupt.install()
        do {
            do { try await execute(console) } catch let code as ExitCode where Console.outputFault == nil { throw code } catch is ExitCode {
                // Its output was lost, so its exit code no longer counts.
            }
            try Console.requireOutput()
        } catch let code as ExitCode {
            throw code
        } catch {
            let failure = Failure.of(error)
            Report(failure: failure, console: console).print()
            throw ExitCode(failure.exit)
        }
    }
}
