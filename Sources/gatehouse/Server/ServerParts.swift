import GateJSON
import GateModel
import GateServer
import GateService
import GateStore
import Logging
import ObjectStore

/// What stands beside the core of one server: other servers, polls, rehearsals, backups and the object store.
struct ServerParts: Sendable {
    /// What this server hears of the others of its database; nil where it has one of its own.
    let watch: StoreWatch?
    let reach: ReachKeeper
    /// Tells the others what was polled here; nil without others.
    let exchange: PollExchange?
    let rehearsals: RehearsalTable
    /// Nil where no folder for backups was given.
    let backups: BackupService?
    /// Nil where nothing is published into an object store.
    let objects: ObjectKeeper?

    /// - Throws: where a folder for backups or an object store was given and cannot be used.
    init(_ settings: ServeSettings, of core: ServerCore, log: Logger) throws {
        watch = Self.watch(settings, core, log)
        reach = ReachKeeper(folder: settings.data, table: core.table, failures: core.failures)
        core.ledger.learnPolls(from: CurrentPolls(reach.tracker, now: { .now }))
        exchange = settings.database.map { [reach] in reach.exchange(with: $0, as: settings.serverName) }
        rehearsals = RehearsalTable(beside: core.table, now: { .now })
        backups = try Self.backups(settings, core.ledger, log)
        objects = try Self.objects(settings, core, log)
    }

    /// The servers of this database; empty where it has one of its own.
    var servers: @Sendable () -> [SharedServer] { { [watch] in watch?.servers ?? [] } }

    private static func watch(_ settings: ServeSettings, _ core: ServerCore, _ log: Logger) -> StoreWatch? {
        let (ledger, sharedKeys) = (core.ledger, core.sharedKeys)
        return settings.database.map { database in
            StoreWatch(
                database,
                as: settings.serverName,
                sequence: { ledger.sequence },
                look: {
                    ledger.lookForNews()
                    sharedKeys.keep()
                },
                fitness: { ledger.dutyFitness },
                dutyBegan: {
                    log.info("this server does what the clock asks for")
                    ledger.wake()
                },
                dutyLeft: { log.notice("this server leaves what the clock asks for to another, which is fitter for it") },
                noAnswer: { ledger.lost() },
                heardAgain: { ledger.heardAgain() },
                cannotWrite: { ledger.cannotWrite() },
                clockLeads: { ledger.clockLeads(by: $0) }
            )
        }
    }

    /// - Throws: when the folder cannot be used: somebody who asks for backups must notice when there are none.
    private static func backups(_ settings: ServeSettings, _ ledger: Ledger, _ log: Logger) throws -> BackupService? {
        guard let plan = settings.backups else { return nil }
        do throws(StoreError) {
            let folder = try BackupFolder(plan.folder, encryptingTo: plan.key)
            return BackupService(ledger: ledger, folder: folder, interval: plan.interval, kept: plan.kept) { backup in
                log.info(
                    "backup",
                    metadata: [
                        "name": "\(backup.name)", "sequence": "\(backup.sequence)", "bytes": "\(backup.bytes)",
                        "sha256": "\(backup.digest)",
                    ]
                )
            }
        } catch {
            throw StoreCommand.failure(
                "--backup-dir \(plan.folder): \(error.detail). Name a folder whose parent folder exists and can be written to."
            )
        }
    }

    /// - Throws: where there are no credentials: phones that read the object store must not find it empty.
    private static func objects(_ settings: ServeSettings, _ core: ServerCore, _ log: Logger) throws -> ObjectKeeper? {
        guard let address = settings.bucket else { return nil }
        do throws(ObjectStoreError) { return try ObjectKeeper(address, table: core.table, ledger: core.ledger, log: log) } catch {
            throw StoreCommand.failure("--publish \(address): \(error.detail)")
        }
    }
}
