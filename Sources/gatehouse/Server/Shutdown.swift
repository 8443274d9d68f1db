import Dispatch
import GateService
import GateStore
import MicroHTTP

/// The parts of a running server that have an end, and the order in which they end: what SIGTERM and SIGINT do.
struct Shutdown {
    let admin: HTTPServer
    let feeds: HTTPServer
    let scheduler: Scheduler
    let watch: StoreWatch?
    let housekeeper: Housekeeper
    let signingKeeper: Housekeeper
    let backupKeeper: Housekeeper?
    let objectKeeper: Housekeeper?
    let ledger: Ledger
    let access: AccessService
    let reach: ReachKeeper
    let exchange: PollExchange?
    let opener: StoreOpener

    /// How long the requests of both listeners that are under way may take, together.
    private static let grace = Duration.seconds(5)

    /// Ends everything; returns once the database is closed. To be called once.
    func run() {
        // Admin first: no change may be acknowledged if its publication will not be written. Both share the same five seconds.
        let deadline = ContinuousClock.now + Self.grace
        admin.stop(grace: Self.grace)
        feeds.stop(grace: max(.zero, deadline - .now))
        // A database that has fallen silent must not be waited for here: the five seconds are for the phones.
        let waits = watch.map { [ledger] _ in Housekeeper(pause: .milliseconds(250)) { ledger.giveUpWaits() } }
        scheduler.stop()
        // Another server takes over the duty at once, and hears of everything from now on.
        watch?.stop()
        housekeeper.stop()
        signingKeeper.stop()
        backupKeeper?.stop(patience: .seconds(1))
        // What is not in the object store yet is put there after the next start.
        objectKeeper?.stop(patience: .seconds(1))
        ledger.keepHouse()
        access.writeRefusals(all: true)
        reach.save()
        exchange?.stop()
        opener.stop()
        waits?.stop()
        do throws(StoreError) { try ledger.store?.close() } catch { ledger.failures.failed(.closing, error) }
    }
}
