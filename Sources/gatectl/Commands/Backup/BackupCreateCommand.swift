import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct BackupCreateCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "create",
        abstract: "Have the server make a backup now.",
        discussion: """
            Ends when the file is on the server's disk and has been checked. With a long history that may take more than the usual \
            ten seconds: add --timeout 60s.

            EXAMPLE
              gatectl backup create
            """
    )

    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        if dryRun.isAsked {
            // A server that has no folder for them refuses this too.
            _ = try await session.client.backups()
            let status = try await session.client.status()
            session.warn(of: status.health)
            if dryRun.reports("make a backup of everything up to change \(status.sequence)", console) { return }
        }
        let backup = try await session.client.createBackup()
        if console.isJSON {
            var document = backup.json.object ?? [:]
            document["changed"] = .bool(true)
            return console.json(Document.of(document))
        }
        console.data(Style.safe(backup.name))
        console.note("Holds everything up to change \(backup.sequence), \(backup.bytes) bytes, sha256 \(Style.safe(backup.digest)).")
    }
}
