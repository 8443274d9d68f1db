import ArgumentParser
import GateJSON
import GateModel
import GateStore

struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract:
            "See which people, tokens and windows the server did not write, and decide what happens to them; the server must be stopped.",
        discussion: """
            Every row that lets somebody in, or that the clock will carry out, is signed with keys/rows.key. Rows without a valid \
            signature are not obeyed: a row that was made or altered with SQL, one that was put back as it once was, and all of them if \
            the key is lost. Without --keep or --drop this command only names them, and exits with 1 if there are any.

            With either, everything is signed again, the ends of the history are taken as they are, and all sessions and invitations end. \
            The audit records it. If the key was lost: put it back from the copy of the data folder, or look through the list and use \
            --keep.

            Example: gatehouse admin sign --data ./data
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @OptionGroup var place: DatabaseOption

    @OptionGroup var keys: KeysSecretOption

    @Flag(help: "Keep the named rows as they are, and sign them.")
    var keep = false

    @Flag(help: "Remove the named people and recovery codes, revoke the tokens, call off the windows.")
    var drop = false

    @Flag(help: "Also make a new key, because the present one was stolen.")
    var newKey = false

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func validate() throws {
        guard !(keep && drop) else { throw ValidationError("--keep and --drop exclude each other.") }
        guard !newKey || keep || drop else { throw ValidationError("--new-key signs everything again; say --keep or --drop too.") }
    }

    func run() throws {
        let store = try StoreCommand.open(
            StoreCommand.configuration(data: data, place: place, keys: keys, migrations: migrations, createIfMissing: false)
        )
        defer { StoreCommand.close(store) }
        do {
            let doubts = try store.doubts()
            let lines = doubts.all.map { fault in "\(fault)" + (store.describe(fault).map { " (\($0))" } ?? "") }
            // Nobody decides about rows that were not named.
            if !lines.isEmpty { try StoreCommand.say(lines.joined(separator: "\n")) }
            guard keep || drop else {
                guard doubts.isEmpty else { throw StoreCommand.failure("\(doubts.all.count) found; say --keep or --drop") }
                return try StoreCommand.say("Everything carries the server's signature.")
            }
            try store.signAnew(drop ? .dropped : .kept, newKey: newKey) { doubts, isNewKey in
                AuditEntry(
                    at: .now,
                    actor: Actor(kind: .system, name: "console"),
                    action: "rows.sign",
                    address: "console",
                    requestId: "console",
                    detail: [
                        "found": .array(doubts.all.prefix(100).map { .string("\($0)") }), "count": .integer(doubts.all.count),
                        "decision": .string(drop ? "dropped" : "kept"), "key": .string(isNewKey ? "new" : "as before"),
                    ]
                )
            }
            let text = "Everything is signed; all sessions have ended."
            try StoreCommand.say(text, otherwise: text)
        } catch let error as StoreError {
            throw StoreCommand.failure(error)
        }
    }
}
