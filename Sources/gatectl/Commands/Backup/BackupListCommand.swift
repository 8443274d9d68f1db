import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct BackupListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "The server's backups, the newest first.",
        discussion: """
            EXAMPLE
              gatectl backup list --json
            """
    )

    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let now = try await session.client.status().serverTime
        let backups = try await session.client.backups()
        switch console.format {
        case .json: console.json(Document.list(backups.map(\.json)))
        case .plain:
            for backup in backups {
                let words = [
                    backup.name, backup.at.description, "\(backup.sequence)", "\(backup.bytes)", backup.digest, backup.fault ?? "",
                ]
                console.data(words.map(Style.safe).joined(separator: "\t"))
            }
        case .table, .wide:
            guard !backups.isEmpty else { return console.data("No backups yet. Make one: \(Invocation.sameServer("backup create"))") }
            var table = Table(["NAME", "AGE", "UP TO CHANGE", "BYTES", "SHA256"], flexible: [4])
            table.rows = backups.map { backup in
                let tint: Style.Tint? = backup.fault == nil ? nil : .blocked
                let digest = backup.fault.map { "does not count: \($0)" } ?? backup.digest
                let sequence = backup.fault == nil ? "\(backup.sequence)" : "–"
                return [backup.name, Words.age(from: backup.at, to: now), sequence, "\(backup.bytes)", digest].map {
                    .init(Style.safe($0), tint)
                }
            }
            console.table(table)
        }
    }
}
