import Dispatch
import GateService
import GateStore
import MicroHTTP

/// The order in which a running server ends: what SIGTERM and SIGINT do.
struct Shutdown {
    let admin: HTTPServer
    let feeds: HTTPServer
    let scheduler: Scheduler
    let keepers: Keepers
    let core: ServerCore
    let parts: ServerParts

    /// How long the requests of both listeners that are under way may take, together.
    private static let grace = Duration.seconds(5)

    /// Ends everything; returns once the database is closed. To be called once.
    func run() {
        let ledger = core.ledger
        // Admin first: no change may be acknowledged if its publication will not be written. Both share the same five seconds.
        let deadline = ContinuousClock.now + Self.grace
        admin.stop(grace: Self.grace)
        feeds.stop(grace: max(.zero, deadline - .now))
        // A database that has fallen silent must not be waited for here: the five seconds are for the phones.
        let waits = parts.watch.map { _ in Housekeeper(pause: .milliseconds(250)) { ledger.giveUpWaits() } }
        scheduler.stop()
        // Another server takes over the duty at once, and hears of everything from now on.
        parts.watch?.stop()
        keepers.stop()
        ledger.keepHouse()
        core.access.writeRefusals(all: true)
        parts.reach.save()
        parts.exchange?.stop()
        core.opener.stop()
        waits?.stop()
        do throws(StoreError) { try ledger.store?.close() } catch { core.failures.failed(.closing, error) }
    }
}
