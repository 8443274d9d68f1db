import ArgumentParser
import Foundation
import GateModel
import GateService
import GateStore
import Logging
import Synchronization

/// Opens the database at the start, and goes on trying when it could not be read then.
final class StoreOpener: Sendable {
    private let configuration: StoreConfiguration
    private let changes: ChangeService
    private let log: Logger
    private let lastTry = Mutex(ContinuousClock.now)

    init(settings: ServeSettings, changes: ChangeService, log: Logger) {
        configuration = StoreConfiguration(
            directory: settings.data,
            migrations: settings.migrations,
            journal: .wal,
            createIfMissing: false,
            now: { .now }
        )
        self.changes = changes
        self.log = log
    }

    /// - Throws: what a person must mend before the server may run at all. A database that cannot be read is none of that: the last feeds
    ///   are served, and writes are refused.
    func open() throws {
        do {
            // Feeds that were published came from a database. That it is gone is no reason to let everybody in with an empty one.
            try start(mayCreate: changes.folder.isEmpty)
        } catch let error as StoreError where error.isUnreadable {
            let damaged = changes.startFromPublication(because: error)
            log.critical("the database cannot be used; serving the last feeds, refusing changes", metadata: ["error": "\(error)", "damaged": "\(damaged)"])
        } catch let error as StoreError {
            throw StoreCommand.failure("\(error)")
        }
    }

    /// Called by the housekeeper: tries again every five seconds while there is no database.
    func keepTrying() {
        guard changes.store == nil else { return }
        let isDue = lastTry.withLock { last in
            guard ContinuousClock.now - last >= .seconds(5) else { return false }
            last = .now
            return true
        }
        guard isDue else { return }
        do {
            // Whoever mends a damaged database moves it away first.
            try start(mayCreate: false)
            log.notice("the database can be used again")
        } catch {
            log.debug("the database still cannot be used", metadata: ["error": "\(error)"])
        }
    }

    private func start(mayCreate: Bool) throws {
        var configuration = configuration
        configuration.createIfMissing = mayCreate
        let store = try Store(configuration)
        do {
            try changes.start(with: store)
        } catch {
            // The error that counts is the one that is thrown.
            try? store.close()
            throw error
        }
        checkHistory(of: store)
    }

    /// The whole chain, beside the running server; writes wait for it.
    private func checkHistory(of store: Store) {
        let thread = Thread { [changes, log] in
            let fault: String?
            do {
                fault = try Self.fault(in: store)
            } catch {
                fault = "\(error)"
            }
            if let fault { log.critical("the history is damaged; changes are refused", metadata: ["fault": "\(fault)"]) }
            changes.historyChecked(fault: fault.map { "history: \($0)" })
        }
        thread.name = "history check"
        thread.start()
    }
}

extension StoreOpener {
    /// The first fault of either chain, in portions, so that no read transaction lasts long enough to hold up the checkpoint.
    private static func fault(in store: Store) throws -> String? {
        for check in [Store.verifyChain(store), Store.verifyAuditChain(store)] {
            var progress = try check(nil, 2_000)
            while !progress.finished { progress = try check(progress.head, 2_000) }
            if let fault = progress.fault { return "\(fault)" }
        }
        return nil
    }
}

extension StoreError {
    /// Whether the database, rather than the way it is used, is at fault.
    fileprivate var isUnreadable: Bool {
        switch code {
        case .corrupt, .unreadable, .io, .readOnly, .full, .busy, .notFound: true
        default: false
        }
    }
}
