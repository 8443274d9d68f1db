import ArgumentParser
import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateService
import GateStore

struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Ways back in, from a shell of the server itself.",
        subcommands: [ResetPasswordCommand.self, SignCommand.self]
    )
}

struct ResetPasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password",
        abstract: "Set the password of somebody who is locked out; the server must be stopped.",
        discussion: """
            All of their sessions end. The audit tells of it.

            Example: echo 'another long pass phrase' | gatehouse admin reset-password --data ./data --username admin --password-stdin
            """
    )

    @Option(help: ArgumentHelp("Folder of the database.", valueName: "dir"))
    var data: String

    @Option(help: ArgumentHelp("Whose password to set.", valueName: "name"))
    var username: String

    @Flag(help: "Read the password, one line, from standard input. There is no other way to give it.")
    var passwordStdin = false

    @Flag(name: .customLong("clear-totp"), help: "Also take the second factor away, with its recovery codes.")
    var clearsTOTP = false

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func validate() throws {
        guard passwordStdin else { throw ValidationError("Give the password on standard input and say --password-stdin.") }
    }

    func run() throws {
        guard let password = readLine(strippingNewline: true) else { throw ValidationError("Standard input holds no password.") }
        let store = try StoreCommand.open(data: data, migrations: migrations, createIfMissing: false)
        // Everything is on the disk by then; a handle that cannot be closed ends with the process.
        defer { try? store.close() }
        let access = AccessService(store: { store }, hasher: PasswordHasher(cost: .standard), random: .system, now: { .now })
        do {
            try access.resetPassword(username: username, password: password, clearTOTP: clearsTOTP, from: .console)
        } catch {
            throw StoreCommand.failure(error)
        }
        print("The password of \(username) is set.")
    }
}
