import ArgumentParser
import Foundation
import GateJSON
import GateModel
import GateService
import GateStore
import Logging
import Synchronization

/// Opens the database at the start, and again if it could not be read then or has been removed or replaced since.
final class StoreOpener: Sendable {
    private let configuration: StoreConfiguration
    private let remedy: DatabaseRemedy
    private let migrates: Bool
    private let ledger: Ledger
    private let log: Logger
    private let failures: FailureLog
    private let anchors: AnchorKeeper
    private let opened: @Sendable (Store) throws(StoreError) -> Void
    private let lastTry = Mutex(ContinuousClock.now)
    /// Whether there has been a database since the start.
    private let wasOpened = Mutex(false)
    /// Since when the files of the open store have been missing from their place.
    private let lostSince = Mutex<ContinuousClock.Instant?>(nil)
    private let isStopping = Mutex(false)
    /// The store whose history was found sound as far as it was checked; only its head is worth keeping.
    private let sound = Mutex<Store?>(nil)
    /// When the signed rows were last looked through, and what was reported about them.
    private let lastLook = Mutex(ContinuousClock.now)
    private let wasInStep = Mutex(true)
    private let told = Mutex<[StoreFault]>([])

    /// The longest history, in changes, that is checked whole before the first write: this takes a third of a second.
    private static let shortHistory = 20_000

    /// - Parameter opened: called with each store before anything from it is published; if it throws, the opening fails.
    init(settings: ServeSettings, ledger: Ledger, log: Logger, opened: @escaping @Sendable (Store) throws(StoreError) -> Void) {
        var configuration = StoreConfiguration(
            directory: settings.data,
            migrations: settings.migrations,
            journal: .wal,
            createIfMissing: false,
            now: { .now }
        )
        configuration.server = settings.database
        configuration.sharing = settings.sharing
        self.opened = opened
        self.configuration = configuration
        remedy = DatabaseRemedy(data: settings.data, server: settings.database)
        migrates = settings.migrates
        self.ledger = ledger
        self.log = log
        failures = ledger.failures
        anchors = AnchorKeeper(folder: settings.data, copy: settings.anchorCopy, log: log, failures: failures) { [ledger] in
            ledger.anchorCopied(fault: $0)
        }
    }

    /// - Throws: what a person must fix before the server may run at all. A database that cannot be read is not such a fault: the last
    ///   feeds are served, and writes are refused.
    func open() throws {
        // A folder that exists and cannot be read may recover; one that can never exist is a mistake of whoever started the server.
        do throws(StoreError) { try configuration.makeFolder() } catch { throw StoreCommand.failure(error) }
        do throws(StoreError) {
            if migrates { try migrate() }
            // Published feeds came from a database. If that is gone, it must not be replaced by an empty one, which would let everybody in.
            try start(mayCreate: mayCreate)
            if configuration.isReadableByOthers {
                log.warning(
                    "others can look into the data folder; its files are readable by their owner alone",
                    metadata: ["remedy": "chmod 700 \(configuration.directory.asShellWord)"]
                )
            }
        } catch  where error.isUnreadable || (error.mayBeDamage && !ledger.folder.isEmpty) {
            failures.failed(.opening, error)
            let damaged = ledger.startFromPublication(because: error)
            log.critical(
                "the database cannot be used; serving the last feeds, refusing changes; gradual openings, ends and windows stand still",
                metadata: ["damaged": "\(damaged)"]
            )
        } catch {
            throw StoreCommand.failure(error)
        }
    }

    /// Brings the database to this version's schema; logged, because nobody watches a start with `--migrate`.
    private func migrate() throws(StoreError) {
        guard configuration.server != nil || configuration.hasDatabase else { return }
        let migrated = try Store.migrate(configuration)
        guard !migrated.applied.isEmpty else { return }
        log.notice(
            "the database was brought to this version's schema",
            metadata: ["applied": "\(migrated.applied.map(String.init).joined(separator: ", "))", "copy": "\(migrated.copy ?? "none")"]
        )
    }

    /// Nothing was ever published from a database, so an empty one takes nothing back.
    private var mayCreate: Bool { ledger.folder.isEmpty && !wasOpened.withLock { $0 } }

    /// Called by the housekeeper: tries again every five seconds while there is no database, and reopens one that was removed or replaced
    /// five seconds ago.
    /// - Returns: whether it has opened one for the first time since the start.
    func keepTrying() -> Bool {
        if let store = ledger.store, isLost(store) { leave(store) }
        guard ledger.store == nil else { return false }
        let isDue = lastTry.withLock { last in
            guard ContinuousClock.now - last >= .seconds(5) else { return false }
            last = .now
            return true
        }
        guard isDue else { return false }
        do throws(StoreError) {
            let isFirst = !wasOpened.withLock { $0 }
            // Somebody who repairs a damaged database in the folder moves it away first. PostgreSQL's may be the first start's, beside a
            // server that was not up yet.
            try start(mayCreate: configuration.server != nil && mayCreate)
            failures.worked(.opening)
            log.notice("the database can be used again")
            return isFirst
        } catch {
            failures.failed(.opening, error)
            return false
        }
    }

    /// Somebody who moves a file away, for a moment or by mistake, has five seconds to put it back as if nothing had happened.
    private func isLost(_ store: Store) -> Bool {
        lostSince.withLock { since in
            guard store.files != .inPlace else {
                since = nil
                return false
            }
            if since == nil { since = .now }
            return ContinuousClock.now - (since ?? .now) >= .seconds(5)
        }
    }

    private func leave(_ store: Store) {
        let lost = StoreError(.unreadable, "The database's files were removed or replaced while gatehouse runs")
        do throws(StoreError) {
            // The anchor includes the last acknowledged change, so that an older database in its place is recognised as older.
            if sound.withLock({ $0 === store }) { anchors.save(store, isLast: true) }
            let hasLeft = try store.leave { [ledger] in ledger.suspend(because: lost) }
            guard hasLeft else { return }
            sound.withLock { $0 = nil }
            lostSince.withLock { $0 = nil }
            failures.worked(.rescue)
            // Tries again at once, without waiting for the next turn.
            lastTry.withLock { $0 = .now - .seconds(5) }
            log.critical(
                "\(lost.detail); what they held was saved and is opened again",
                metadata: ["rescued": "\(store.rescuedPath) if another database is in its place"]
            )
        } catch {
            failures.failed(.rescue, error)
        }
    }

    private func start(mayCreate: Bool) throws(StoreError) {
        var configuration = configuration
        configuration.createIfMissing = mayCreate
        let store = try Store(configuration)
        let published: Int
        do throws(StoreError) {
            // Before the feeds of this start replace those that were kept.
            for note in store.keyNotes { log.notice("shared keys: \(note)") }
            try opened(store)
            published = lastPublished(above: try store.chainHead().sequence)
            let isBehind = try isBehind(store, published: published)
            try ledger.start(with: store, isBehind: isBehind)
            wasOpened.withLock { $0 = true }
            if isBehind {
                log.critical(
                    "the database is older than what was published; the last feeds go on and changes are refused",
                    metadata: [
                        "remedy": "Stop the server. \(remedy.older)"
                    ]
                )
            }
        } catch {
            // Losing the error is safe: the one that matters is thrown.
            try? store.close()
            throw error
        }
        checkHistory(of: store, published: published)
    }

    /// Whether the anchor beside the database, or the feeds kept from it, know more than the database does: then an older or empty one was
    /// put in its place, or its write-ahead log was lost with the last changes. The anchor is kept once a minute, the feeds within a
    /// second.
    private func isBehind(_ store: Store, published: Int) throws(StoreError) -> Bool {
        let head = try store.chainHead().sequence
        return head < anchors.last()?.changes.sequence ?? 0 || head < published
    }

    /// The last change that a kept feed carries, if that is after the database's last; otherwise 0, also if no feed can be read.
    private func lastPublished(above head: Int) -> Int {
        do throws(StoreError) { return try ledger.folder.lastSequence(above: head) ?? 0 } catch {
            failures.failed(.oldFeeds, error)
            return 0
        }
    }

    /// Checks beside the running server: first the part since the anchor, for which writes wait, then the whole.
    /// - Parameter published: the last change that is in the kept feeds.
    private func checkHistory(of store: Store, published: Int) {
        PausingThread("history check").start { [self] in
            while !isStopping.withLock({ $0 }) {
                do throws(StoreError) {
                    try check(store, published: published)
                    try lookForDamage(in: store)
                    failures.worked(.historyCheck)
                    return lookForUnreadableRows(in: store)
                } catch  where error.code == .corrupt {
                    return conclude(fault: "\(error)", in: store)
                } catch {
                    // A disk that does not answer says nothing about the history.
                    failures.failed(.historyCheck, error)
                    Thread.sleep(forTimeInterval: 2)
                }
            }
        }
    }

    private func check(_ store: Store, published: Int) throws(StoreError) {
        let check = HistoryCheck(store: store) { [self] in !isStopping.withLock { $0 } }
        let anchor = anchors.last()
        let doubts = try lookAtRows(of: store)
        // Whether the chains end where they must; an altered row in them is reported first.
        var end = doubts.key ?? doubts.history.first
        if end == nil { end = try anchors.lastCopy()?.missing(in: store) }
        if end == nil { end = .behindFeeds(after: try store.chainHead().sequence, upTo: published) }
        if let anchor, try store.chainHead().sequence > Self.shortHistory {
            let fault = try check.fault(since: anchor, resting: false) ?? end
            conclude(fault: fault.map { "\($0)" }, in: store)
            // A fault in the older part is found later, but stops writes all the same.
            if fault == nil, let older = try check.fault(since: nil, resting: true) { conclude(fault: "\(older)", in: store) }
        } else {
            // The anchor is checked last, so that an altered row is named before missing rows.
            let fault = try check.fault(since: nil, resting: false)
            let missing = fault == nil && anchor != nil ? try check.fault(since: anchor, resting: false) : nil
            conclude(fault: (fault ?? missing ?? end).map { "\($0)" }, in: store)
        }
    }

    /// After the history, and at the same easy pace: checks pages and indexes that have not been read yet.
    private func lookForDamage(in store: Store) throws(StoreError) {
        guard sound.withLock({ $0 === store }) else { return }
        let check = HistoryCheck(store: store) { [self] in !isStopping.withLock { $0 } }
        if let fault = try check.damage() { conclude(fault: "\(fault)", in: store) }
    }

    /// After the history, and at the same easy pace: an unreadable row is no danger to anybody, but people should know of it.
    private func lookForUnreadableRows(in store: Store) {
        let check = HistoryCheck(store: store) { [self] in !isStopping.withLock { $0 } }
        do throws(StoreError) {
            let faults = try check.unreadableRows()
            guard !faults.isEmpty else { return }
            for fault in faults.prefix(100) {
                log.error(
                    "a row cannot be read; it is shown as such, and everything else goes on",
                    metadata: ["fault": "\(fault)", "remedy": "Stop the server. \(remedy.unreadable)"]
                )
            }
            ledger.found(unreadable: faults)
        } catch {
            // The next start looks again.
            log.warning("not all rows could be looked through", metadata: ["error": "\(error)"])
        }
    }

    /// Names the rows that the server did not write in the log and the health. They are not obeyed; all others are.
    private func lookAtRows(of store: Store) throws(StoreError) -> StoreDoubts {
        lastLook.withLock { $0 = .now }
        let doubts = try store.doubts()
        let isNews = told.withLock { told in
            defer { told = doubts.rows }
            return told != doubts.rows
        }
        if isNews, !doubts.rows.isEmpty {
            log.critical(
                "rows that gatehouse did not write are not obeyed",
                metadata: [
                    "rows": "\(doubts.rows.prefix(20).map { "\($0)" }.joined(separator: "; "))", "count": "\(doubts.rows.count)",
                    "remedy":
                        "Stop the server and run gatehouse admin sign: --drop ends what gatehouse did not write, --keep takes it over.",
                ]
            )
        }
        let more = doubts.rows.count > 3 ? ", and \(doubts.rows.count - 3) more" : ""
        let named = doubts.rows.prefix(3).map { "\($0)" }.joined(separator: "; ") + more
        ledger.rowsChecked(fault: doubts.rows.isEmpty ? nil : "rows that are not obeyed: \(named)")
        return doubts
    }

    private func conclude(fault: String?, in store: Store) {
        if isStopping.withLock({ $0 }) { return }
        if let fault {
            log.critical(
                "the history is damaged; changes are refused",
                metadata: [
                    "fault": "\(fault)",
                    "remedy":
                        "Stop the server and run gatehouse verify \(remedy.place). If an older database was put in place on purpose, \(remedy.goOn). Where there is a file of --anchor-copy, restore with --anchor and that file, and move it away then.",
                ]
            )
        }
        sound.withLock { $0 = fault == nil ? store : nil }
        ledger.historyChecked(fault: fault.map { "history: \($0)" })
    }

    // MARK: Anchor

    /// Called by the housekeeper: keeps the anchor, and looks for rows that were written past the server, once an hour and as soon as the
    /// store notices something.
    func keepAnchor() {
        guard let store = sound.withLock({ $0 }) else { return }
        if isTimeToLook(at: store) {
            do throws(StoreError) {
                let doubts = try lookAtRows(of: store)
                if let fault = doubts.history.first { return conclude(fault: "\(fault)", in: store) }
            } catch {
                log.warning("nobody can tell at the moment who wrote the rows", metadata: ["error": "\(error)"])
            }
        }
        // Where the database lacks what was published, its head is not worth keeping either; it may be so for a moment only.
        guard ledger.isHistorySound else { return }
        guard let fault = anchors.keep(store) else { return }
        // Where a shared database lacks the last change, that look says so, and takes it back when the change is there again.
        if configuration.server != nil { ledger.lookForNews() }
        if ledger.isHistorySound { conclude(fault: "\(fault)", in: store) }
    }

    private func isTimeToLook(at store: Store) -> Bool {
        let isInStep = store.isInStep
        let isNews = wasInStep.withLock { was in
            defer { was = isInStep }
            return was && !isInStep
        }
        // What was noticed stays so until somebody fixes it, and each look goes through all signed rows.
        return isNews || lastLook.withLock { ContinuousClock.now - $0 >= (isInStep ? .seconds(3_600) : .seconds(60)) }
    }

    /// Ends the check of the history, and keeps the anchor for the next start. To be called before the store is closed.
    func stop() {
        isStopping.withLock { $0 = true }
        // One that is out of reach would be waited for in vain.
        guard ledger.isHistorySound, ledger.reachableStore != nil, let store = sound.withLock({ $0 }) else { return }
        let fault = anchors.save(store, isLast: true)
        anchors.settle()
        guard let fault else { return }
        log.critical("the database went back to an older state; the anchor is left as it was", metadata: ["fault": "\(fault)"])
    }
}

extension StoreError {
    /// Whether damage to a few bytes looks like this too. It is more often another folder of migrations, or a fault of the program, which
    /// stops a server at its start; but not one whose feeds phones already rely on.
    fileprivate var mayBeDamage: Bool { code == .schemaChanged || code == .internal }

    /// Whether the database, rather than the way it is used, is at fault.
    fileprivate var isUnreadable: Bool {
        switch code {
        case .corrupt, .unreadable, .io, .readOnly, .full, .busy, .notFound: true
        default: false
        }
    }
}
