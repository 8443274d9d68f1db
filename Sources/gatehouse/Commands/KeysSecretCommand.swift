import ArgumentParser
import GateCrypto
import GateStore

struct KeysSecretCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Make the secret that servers of one PostgreSQL share their keys with.",
        discussion: """
            Give every server the same secret, in a file with --keys-secret-file or as GATEHOUSE_KEYS_SECRET: the keys of one data folder \
            are then kept in the database, sealed with it, and a server that starts with an empty folder has them at once. Each database \
            needs a secret of its own. Whoever has both the secret and the database has all keys. Without --out it is printed.

            Example: gatehouse keys secret --out keys-secret
            """
    )

    @Option(help: ArgumentHelp("A new file for it, readable only by its owner.", valueName: "file"))
    var out: String?

    func run() throws {
        let secret = SharedSecret.make(random: .system)
        guard let out else { return try StoreCommand.say(secret, otherwise: "The secret is lost; make another one, best with --out FILE.") }
        do throws(StoreError) { try SecretFile.make(out, holding: secret) } catch { throw StoreCommand.failure("\(error)") }
    }
}
