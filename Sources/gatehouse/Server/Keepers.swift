import Dispatch
import GateJSON
import GateServer
import GateService
import Synchronization

/// The threads that keep a running server in order, whether requests come or not.
struct Keepers {
    private let housekeeping: Housekeeper
    private let signing: Housekeeper
    private let backups: Housekeeper?
    private let objects: Housekeeper?

    /// Starts them.
    /// - Parameter round: what else is done once a second.
    init(_ core: ServerCore, _ parts: ServerParts, round: @escaping @Sendable () -> Void) {
        housekeeping = Housekeeper(pause: .seconds(1)) {
            core.ledger.keepHouse()
            parts.reach.keep()
            round()
            core.opener.keepAnchor()
            core.access.writeRefusals()
            core.carryOutResets()
            core.story.look(at: core.ledger.health)
            core.story.look(at: .now, elapsed: ProcessFigures.uptime())
        }
        // On a thread of its own, and twice a second: a change of keys reaches the feeds within a second, whatever the disk is busy with.
        signing = Housekeeper(pause: .milliseconds(500)) { core.sign() }
        // Four times a second, so that a change is in the object store within one second; and once more at the end, because a kill that
        // was acknowledged just before may be why the server is being stopped.
        objects = parts.objects.map { objects in Housekeeper(pause: .milliseconds(250), endsWithWork: true) { objects.keep() } }
        backups = parts.backups.map(Self.keeper)
    }

    /// Ends them; work under way is waited for, but a backup and the object store for no more than a second each.
    func stop() {
        housekeeping.stop()
        signing.stop()
        backups?.stop(patience: .seconds(1))
        // What is not in the object store by then is put there after the next start.
        objects?.stop(patience: .seconds(1))
    }

    /// Makes the backups on a thread of its own, because housekeeping must go on writing the feeds to the disk meanwhile.
    private static func keeper(of backups: BackupService) -> Housekeeper {
        let begun = Mutex(false)
        return Housekeeper(pause: .seconds(1)) {
            let isFirst = begun.withLock { begun in
                defer { begun = true }
                return !begun
            }
            if isFirst { backups.start() }
            backups.keep()
        }
    }
}
