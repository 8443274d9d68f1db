import GateCrypto
import GateJSON
import GateModel
import GateServer
import GateService
import GateStore
import Logging
import Synchronization

/// The feeds, the ledger, the people and the database of one server, opened in the order in which they need each other.
struct ServerCore: Sendable {
    let table: FeedTable
    let failures: FailureLog
    let ledger: Ledger
    let random: RandomSource
    let access: AccessService
    let story: NightStory
    let sharedKeys: SharedKeysKeeper
    let opener: StoreOpener
    private let signing: LockedSigning
    private let resetFolder: ResetFolder

    /// One caller at a time: the start signs, and later a thread of its own, and also whoever brings a database back.
    private final class LockedSigning: Sendable {
        private let keeper: SigningKeeper
        private let isSigning = Mutex(())

        init(_ keeper: SigningKeeper) { self.keeper = keeper }

        func keep() { isSigning.withLock { _ in keeper.keep() } }
    }

    /// - Throws: when the database cannot be opened, and there are no published feeds that could be served without it.
    init(_ settings: ServeSettings, log: Logger) throws {
        let table = FeedTable(now: { .now })
        let failures = FailureLog(log)
        let ledger = Ledger(
            environment: settings.environment,
            wideShare: settings.wideShare,
            isStored: settings.bucket != nil,
            folder: PublicationFolder(dataFolder: settings.data),
            sink: table,
            failures: failures,
            now: { .now }
        )
        let random = RandomSource.system
        access = AccessService(
            store: { ledger.reachableStore },
            hasher: PasswordHasher(cost: .standard),
            random: random,
            keys: KeyFolder(dataFolder: settings.data, random: random, isShared: settings.sharing != nil),
            failures: failures,
            now: { .now }
        )
        let story = NightStory(log)
        ledger.observeChanges(story.tell)
        ledger.observeWindows(story.tell)
        let signing = LockedSigning(SigningKeeper(dataFolder: settings.data, table: table, ledger: ledger))
        // Before anything is published: an app that knows a key would refuse a feed that is unsigned even for a moment.
        signing.keep()
        let sharedKeys = SharedKeysKeeper(dataFolder: settings.data, ledger: ledger, log: log)
        opener = StoreOpener(settings: settings, ledger: ledger, log: log) { store throws(StoreError) in
            // A server that joins the others with an empty folder gets their keys before its first feed.
            try sharedKeys.begin(with: store)
            signing.keep()
        }
        resetFolder = ResetFolder(dataFolder: settings.data)
        (self.table, self.failures, self.ledger, self.random) = (table, failures, ledger, random)
        (self.story, self.signing, self.sharedKeys) = (story, signing, sharedKeys)
        try opener.open()
    }

    /// Signs the feeds with the keys of the data folder, as they are now.
    func sign() { signing.keep() }

    /// Sets the passwords that `gatehouse admin reset-password` has left for a running server.
    func carryOutResets() {
        do throws(StoreError) {
            try resetFolder.carryOut(with: access)
            failures.worked(.resets)
        } catch { failures.failed(.resets, error) }
    }
}
