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
        abstract: "Set the password of somebody who is locked out, also while the server runs.",
        discussion: """
            All of their sessions end, and their tokens are revoked. The audit records it.

            Example: echo 'another long pass phrase' | gatehouse admin reset-password --data ./data --username admin --password-stdin
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @OptionGroup var place: DatabaseOption

    @OptionGroup var keys: KeysSecretOption

    @Option(help: ArgumentHelp("Whose password to set.", valueName: "name"))
    var username: String

    @Flag(help: "Read the password, one line, from standard input. There is no other way to give it.")
    var passwordStdin = false

    @Flag(name: .customLong("clear-totp"), help: "Also remove the second factor, with its recovery codes.")
    var clearsTOTP = false

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func validate() throws {
        guard passwordStdin else { throw ValidationError("Give the password on standard input and say --password-stdin.") }
    }

    func run() throws {
        let configuration = try StoreCommand.configuration(
            data: data,
            place: place,
            keys: keys,
            migrations: migrations,
            createIfMissing: false
        )
        guard let password = readLine(strippingNewline: true) else { throw ValidationError("Standard input holds no password.") }
        let store: Store
        do throws(StoreError) { store = try Store(configuration) } catch  where error.code == .inUse {
            try askServer(password)
            return try sayThatItIsSet()
        } catch {
            throw StoreCommand.failure(error)
        }
        defer { StoreCommand.close(store) }
        let access = StoreCommand.access(to: store)
        do {
            try access.resetPassword(username: username, password: password, clearTOTP: clearsTOTP, from: .console)
        } catch {
            throw StoreCommand.failure(error)
        }
        try sayThatItIsSet()
    }

    private func sayThatItIsSet() throws {
        let text = "The password of \(username) is set."
        try StoreCommand.say(text, otherwise: text)
    }

    /// A running server has the database to itself: this leaves the password's hash for it, and it does the rest within a second.
    private func askServer(_ password: String) throws {
        let hasher = StoreCommand.access(to: nil)
        let folder = ResetFolder(dataFolder: data)
        let answer: String
        do {
            let hash = try hasher.passwordHash(of: password, username: username)
            let name = try folder.ask(.init(username: username, hash: hash, clearsTOTP: clearsTOTP), random: .system)
            answer = try wait(for: name, in: folder)
        } catch let error as ServiceError {
            throw StoreCommand.failure(error)
        } catch let error as StoreError {
            throw StoreCommand.failure(error)
        }
        guard answer.isEmpty else { throw StoreCommand.failure(answer) }
    }

    private func wait(for name: String, in folder: ResetFolder) throws -> String {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            if let answer = try folder.takeAnswer(to: name) { return answer }
            usleep(50_000)
        }
        guard try !folder.withdraw(name) else {
            throw StoreCommand.failure(
                "the running server did not answer within ten seconds, and nothing was changed; run this as its user, or with the server stopped"
            )
        }
        // It may have answered at the last moment.
        if let answer = try folder.takeAnswer(to: name) { return answer }
        throw StoreCommand.failure(
            "the running server took the request and has not answered within ten seconds: it sets the password as soon as it can, or has set it. gatectl audit --action people.reset shows whether it did, and so does signing in as \(username); the server's log says what holds it up"
        )
    }
}
