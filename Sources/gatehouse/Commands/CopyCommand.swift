import ArgumentParser
import GateJSON
import GateStore

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy everything from a data folder into a database of PostgreSQL, or back.",
        discussion: """
            Gates, history with its hashes, people, tokens, windows: all of it in one transaction, into a database without rows, or a \
            folder without a database. The original is checked first; the copy is checked in the same way and compared row by row before \
            it is kept. If something goes wrong there is no copy. The original stays as it is.

            Stop the servers first: what they write meanwhile is not in the copy. Rows are still checked with keys/rows.key in the data \
            folder, so serve the copy with the same folder, or take keys/ along. Give a password with PGPASSFILE or PGPASSWORD.

            Example: gatehouse copy --data ./data --to postgresql://gatehouse@db.example/gatehouse
            Example: gatehouse copy --from postgresql://gatehouse@db.example/gatehouse --data ./data-2
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @Option(help: ArgumentHelp("The PostgreSQL database to copy the folder's database into.", valueName: "url"))
    var to: String?

    @Option(help: ArgumentHelp("The PostgreSQL database to copy into the folder.", valueName: "url"))
    var from: String?

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func validate() throws {
        guard (to == nil) != (from == nil) else { throw ValidationError("Say either --to URL or --from URL.") }
    }

    func run() throws {
        do {
            let folder = try StoreCommand.configuration(data: data, database: nil, migrations: migrations, createIfMissing: from != nil)
            if let to { try copy(folder, to: DatabaseArgument.fromCommandLine(to, option: "--to")) }
            if let from { try copy(from: DatabaseArgument.fromCommandLine(from, option: "--from"), to: folder) }
        } catch let error as StoreError {
            throw StoreCommand.failure(error)
        }
    }

    private func copy(_ folder: StoreConfiguration, to server: DatabaseServer) throws {
        let report = try Store.copy(folder, to: server, progress: Self.tell)
        let serving = """
            Serve it with the same folder, which has the keys: gatehouse serve --data \(data.asShellWord) --database URL. \(data)/gatehouse.sqlite is the \
            database as it was: keep it for as long as you may want to go back.
            """
        let keys = report.lacksKeys ? "The keys are not in \(data): put them back before you serve it.\n" : ""
        try Self.say(report, as: "\(server)", then: keys + serving)
    }

    private func copy(from server: DatabaseServer, to folder: StoreConfiguration) throws {
        let report = try Store.copy(from: server, to: folder, progress: Self.tell)
        let keys = "put the keys/ of the folder that \(server) was served with into \(data)"
        let serving =
            report.lacksKeys
            ? "The keys are not there: before you serve it, \(keys). Without them nobody is recognised and nothing can be written."
            : "Serve it with gatehouse serve --data \(data.asShellWord)."
        try Self.say(report, as: "\(data)/gatehouse.sqlite", then: serving)
    }

    private static func say(_ report: CopyReport, as copy: String, then serving: String) throws {
        for fault in report.doubts where fault.place != "keys" {
            OutputEnd.error.write(line: "warning: copied as it is, and not obeyed in the copy either: \(fault)")
        }
        let counts = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.name, $0.count) })
        func count(_ table: String, _ one: String, _ many: String) -> String {
            counts[table] == 1 ? "1 \(one)" : "\(counts[table] ?? 0) \(many)"
        }
        try StoreCommand.say(
            "\(copy): up to change \(report.anchor.changes.sequence), hash \(report.anchor.changes.hash); "
                + [
                    count("apps", "app", "apps"), count("targets", "target", "targets"), count("users", "person", "people"),
                    count("windows", "window", "windows"),
                ].joined(separator: ", ") + ". Every row is as it was.\n" + serving,
            otherwise: "The copy is made. \(serving)"
        )
    }

    /// Reports progress on standard error.
    private static func tell(_ progress: CopyProgress) {
        let line: String? =
            switch progress {
            case .checking: "Checking what is to be copied."
            // A table of a few rows is copied before anybody could read a line about it.
            case .copied(let table, let rows): rows >= 1_000 ? "\(table): \(rows) rows." : nil
            case .checkingCopy: "Checking the copy."
            case .committing: nil
            }
        if let line { OutputEnd.error.write(line: line) }
    }
}

extension CopyReport {
    /// Whether nobody can tell who wrote people, tokens and windows, because the key is not in the data folder.
    fileprivate var lacksKeys: Bool { doubts.contains { $0.place == "keys" } }
}
