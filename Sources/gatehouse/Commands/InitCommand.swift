import ArgumentParser
import Foundation
import GateJSON
import GateModel
import GateService
import GateStore

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make the database with its first administrator.",
        discussion: "Example: echo 'a long pass phrase' | gatehouse init --data ./data --username admin --password-stdin --token ci"
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @OptionGroup var place: DatabaseOption

    @OptionGroup var keys: KeysSecretOption

    @Option(help: ArgumentHelp("The administrator's name, also as \(OptionSources.variable("username")).", valueName: "name"))
    var username: String?

    @Flag(help: "Read the password, one line, from standard input. There is no other way to give it.")
    var passwordStdin = false

    @Option(
        help: ArgumentHelp(
            "Also make an API token of this name with the role admin, and print it, alone, on standard output. Also as \(OptionSources.variable("token")).",
            valueName: "name"
        )
    )
    var token: String?

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func validate() throws {
        _ = (try administrator(), try tokenName())
        guard passwordStdin else { throw ValidationError("Give the password on standard input and say --password-stdin.") }
    }

    private func administrator() throws -> String {
        guard let name = OptionSources.environment("username", given: username) else {
            throw ValidationError("Name the administrator: --username NAME, or \(OptionSources.variable("username")).")
        }
        return name
    }

    /// - Throws: for a token where its name belongs: it would be kept in the audit for ever.
    private func tokenName() throws -> String? {
        let name = OptionSources.environment("token", given: token)
        guard name?.hasPrefix("gate_") != true else {
            throw ValidationError(
                "--token and \(OptionSources.variable("token")) are the name of a token that is to be made, such as ci, and not a token."
            )
        }
        return name
    }

    /// In a folder with feeds that a server published, an empty database would take everything back.
    private func requireNew(_ configuration: inout StoreConfiguration) throws {
        guard configuration.hasAnchor || !PublicationFolder(dataFolder: data).isEmpty else { return }
        // Whether a database server has the database shows when it is opened.
        guard configuration.server == nil else {
            configuration.createIfMissing = false
            return
        }
        guard !configuration.hasDatabase else { return }
        throw StoreCommand.failure(
            "\(data) holds what a server published, and its database is missing. Restore it from a backup, gatehouse restore --data \(data.asShellWord) --from FILE, or put a copy of the folder back; a new database is made only in an empty folder."
        )
    }

    func run() throws {
        let (username, token) = (try administrator(), try tokenName())
        // Checked before anything is written: once there is an administrator, this command makes no token any more.
        do { if let token { _ = try AccessService.tokenName(token) } } catch { throw StoreCommand.failure(error) }
        var configuration = try StoreCommand.configuration(
            data: data,
            place: place,
            keys: keys,
            migrations: migrations,
            createIfMissing: true
        )
        guard let password = readLine(strippingNewline: true) else { throw ValidationError("Standard input holds no password.") }
        try requireNew(&configuration)
        let store = try StoreCommand.open(configuration)
        defer { StoreCommand.close(store) }
        let access = StoreCommand.access(to: store)
        do {
            try access.createFirstAdministrator(name: username, password: password, from: .console)
            guard let token else { return }
            let text = try access.createToken(name: token, role: .admin, scope: .all, createdBy: username, from: .console)
            guard !OutputEnd.output.write(line: text) else { return }
            try revoke(text, with: access)
        } catch {
            throw StoreCommand.failure(error)
        }
        throw StoreCommand.failure(
            "Standard output could not be written, so the token is revoked. The administrator is made: sign in to the dashboard as \(username) and make one there."
        )
    }

    /// Ends a token that nobody has seen: part of it may stand where it was written to.
    private func revoke(_ text: String, with access: AccessService) throws(ServiceError) {
        let origin = RequestOrigin.console
        let caller = try access.caller(token: text, source: .api, requestId: origin.requestId, address: origin.address)
        if let token = caller.token { try access.revokeToken(token.id, by: caller) }
    }
}
