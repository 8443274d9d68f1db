import ArgumentParser
import GateModel
import GateStore

struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair a database with rows that cannot be read; the server must be stopped.",
        discussion: """
            The history is not rewritten: a change or an entry of the audit that cannot be read stays, and a new entry of the audit says \
            so. Windows that cannot be read end as failed; their former content is kept in a file beside the database. Unreadable answers \
            to Idempotency-Keys, sessions and counters of failed sign-ins are removed.

            A target whose gate cannot be read is served as it was last published, and accepts no changes, until somebody says which of \
            its earlier revisions to put back. That is a change of its own in the history.

            Exits with 0 when all is repaired, with 1 when something still needs a decision. Make a copy of the folder first.

            Example: gatehouse repair --data ./data --dry-run
            Example: gatehouse repair --data ./data --revert shop/ios@41
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @OptionGroup var place: NoDatabaseOption

    @Option(help: ArgumentHelp("Give a target the gate of an earlier revision; may be given again.", valueName: "app/platform@revision"))
    var revert: [RevisionArgument] = []

    @Flag(help: "Say what would be done, and write nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func validate() throws {
        guard Set(revert.map(\.target)).count == revert.count else { throw ValidationError("A target is named twice with --revert.") }
    }

    func run() throws {
        try place.refuse(
            instead:
                "PostgreSQL keeps a failing disk's damage out of its tables by itself. Restore a dump that pg_dump made before the damage, and check it with gatehouse verify --database."
        )
        let store = try StoreCommand.open(
            StoreCommand.configuration(data: data, database: nil, migrations: migrations, createIfMissing: false)
        )
        defer { StoreCommand.close(store) }
        let reverting = Dictionary(uniqueKeysWithValues: revert.map { ($0.target, $0.revision) })
        let report: RepairReport
        do { report = try store.repair(reverting: reverting, isTrial: dryRun) } catch { throw StoreCommand.failure(error) }
        try StoreCommand.say(
            RepairText.lines(report, reverting: reverting, data: data, isTrial: dryRun).joined(separator: "\n"),
            otherwise: dryRun ? StoreCommand.nothingChanged : "What could be repaired is repaired; --dry-run shows what is left."
        )
        if report.isUnfinished { throw ExitCode.failure }
    }
}

/// `shop/ios@41`
struct RevisionArgument: ExpressibleByArgument {
    let target: TargetKey
    let revision: Int

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let target = TargetKey(parts[0]), let revision = Int(parts[1]), revision > 0 else { return nil }
        (self.target, self.revision) = (target, revision)
    }
}
