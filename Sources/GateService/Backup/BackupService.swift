import GateCrypto
package import GateJSON
package import GateModel
package import GateStore
import Synchronization

/// Makes backups by the clock and when an administrator asks, in a folder of the server's own.
///
/// Any thread; one backup is made at a time, and no change waits for it. Backups on request are recorded in the audit, those by the clock
/// in the log: twenty-four entries a day would hide the other ones.
package final class BackupService: Sendable {
    private let ledger: Ledger
    private let folder: BackupFolder
    /// Seconds from one backup to the next.
    private let interval: Int64
    private let kept: Int
    private let told: @Sendable (ListedBackup) -> Void
    private let state: Mutex<Progress>
    private let isListing = Mutex(false)

    private struct Progress {
        /// Time of the last sound backup, or of the start if there is none.
        var last: Timestamp
        /// Whether there is one at all.
        var hasAny = false
        /// When a backup by the clock was last tried; nil before the first time.
        var tried: Timestamp?
        var failureCount = 0
    }

    /// Seconds after which a backup that failed is tried again.
    private static let patience: Int64 = 60

    /// - Parameters:
    ///   - interval: seconds, positive.
    ///   - kept: how many of the newest are kept, and of how many intervals the newest; of older ones, one a day for 30 days.
    ///   - told: called after each backup, on the thread that made it.
    package init(
        ledger: Ledger,
        folder: BackupFolder,
        interval: Int64,
        kept: Int,
        told: @escaping @Sendable (ListedBackup) -> Void = { _ in }
    ) {
        (self.ledger, self.folder, self.interval, self.kept, self.told) = (ledger, folder, interval, kept, told)
        state = Mutex(Progress(last: ledger.now()))
    }

    /// Looks for existing backups. To be called once, before ``keep()``; reads each backup to its end.
    package func start() {
        do throws(StoreError) {
            folder.keep(history: try ledger.historyID())
            guard let newest = try folder.entries().first(where: { $0.fault == nil }) else { return }
            state.withLock { state in
                // A backup from the future, seen after a clock was put back, must not delay the next.
                state.last = min(newest.at, state.last)
                state.hasAny = true
            }
        } catch { ledger.failures.failed(.backups, error) }
    }

    /// Makes a backup when one is due, and removes those that need not be kept. To be called about once a second, on a thread that may
    /// block.
    package func keep() {
        let now = ledger.now()
        // Backups of a database that does not belong here would push out those of the right one.
        if isDue(at: now), ledger.isHistorySound, let store = ledger.store {
            state.withLock { $0.tried = now }
            do throws(StoreError) {
                _ = try make(of: store)
                ledger.failures.worked(.backup)
            } catch  where error.code == .busy {
                // One is being made on request, which will do as well.
            } catch {
                state.withLock { $0.failureCount += 1 }
                ledger.failures.failed(.backup, error)
            }
        }
        ledger.backedUp(fault: fault(at: ledger.now()))
    }

    /// Makes a backup on request.
    /// - Parameters:
    ///   - idempotency: if it was used before with the same request, that answer is returned and nothing happens.
    ///   - answer: makes the answer that is kept under the key.
    /// - Throws: `forbidden`; `backup_running` (409) while one is being made; an error when the database cannot be read or the file cannot
    ///   be written.
    package func create(
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: (ListedBackup) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.require(.admin)
        guard let store = ledger.store else {
            throw ServiceError(
                .unavailable,
                "database_unavailable",
                "The database cannot be read at the moment, so there is no backup.",
                retryAfter: 5
            )
        }
        if let repeated = try ledger.repeated(idempotency, by: caller) { return repeated }
        let entry: ListedBackup
        do throws(StoreError) {
            try store.check(caller.authority)
            entry = try make(of: store)
            try store.appendAudit(
                AuditEntry(
                    at: ledger.now(),
                    actor: caller.actor,
                    action: "backup.create",
                    subject: entry.name,
                    address: caller.address,
                    requestId: caller.requestId,
                    detail: ["sequence": .integer(entry.sequence), "sha256": .string(entry.digest)]
                )
            )
        } catch {
            throw Self.refusal(error)
        }
        let answer = answer(entry)
        // The backup is there, whether or not a repetition will be recognized: while the history is damaged, no answer can be kept.
        try? ledger.write { turn throws(ServiceError) in try ledger.keep(answer, under: idempotency, of: caller, in: turn) }
        return answer
    }

    /// Every backup, the newest first.
    /// - Throws: `forbidden`; `backups_being_read` (409) while somebody else lists them: the first listing after a start reads each backup
    ///   to its end, and that must not tie up all the threads that answer requests.
    package func list(by caller: Caller) throws(ServiceError) -> [ListedBackup] {
        try caller.require(.admin)
        let mayBegin = isListing.withLock { isListing in
            defer { isListing = true }
            return !isListing
        }
        guard mayBegin else {
            throw ServiceError(.conflict, "backups_being_read", "The backups are being read for somebody else. Ask again in a moment.")
        }
        defer { isListing.withLock { $0 = false } }
        do throws(StoreError) { return try folder.entries() } catch { throw Self.refusal(error) }
    }

    /// The moment whose state the last sound backup holds; nil when there is none.
    package var lastAt: Timestamp? { state.withLock { $0.hasAny ? $0.last : nil } }

    /// How often backups by the clock have failed since the start.
    package var failureCount: Int { state.withLock { $0.failureCount } }

    private func make(of store: Store) throws(StoreError) -> ListedBackup {
        let entry = try folder.make(of: store, at: ledger.now())
        state.withLock { ($0.last, $0.hasAny) = (entry.at, true) }
        ledger.backedUp(fault: nil)
        told(entry)
        do throws(StoreError) {
            try folder.prune(keeping: kept, every: interval, now: ledger.now())
            ledger.failures.worked(.oldBackups)
        } catch { ledger.failures.failed(.oldBackups, error) }
        return entry
    }

    private func isDue(at now: Timestamp) -> Bool {
        state.withLock { state in
            if let tried = state.tried, abs(now.milliseconds - tried.milliseconds) < min(Self.patience, interval) * 1_000 { return false }
            return !state.hasAny || abs(now.milliseconds - state.last.milliseconds) >= interval * 1_000
        }
    }

    /// What is wrong with the backups, in words that stay the same while it lasts; nil when nothing is.
    private func fault(at now: Timestamp) -> String? {
        let (last, hasAny) = state.withLock { ($0.last, $0.hasAny) }
        guard now.milliseconds - last.milliseconds > 2 * interval * 1_000 else { return nil }
        return hasAny ? "backup: the last good one is of \(last)" : "backup: there is none, and none could be made since \(last)"
    }

    private static func refusal(_ error: StoreError) -> ServiceError {
        switch error.code {
        case .busy:
            return ServiceError(
                .conflict,
                "backup_running",
                "A backup is being made at the moment. Wait for it: gatectl backup list shows it then."
            )
        case .full:
            return ServiceError(
                .full,
                "disk_full",
                "There is no room for the backup in the server's folder for backups; the unfinished file was removed.",
                retryAfter: 60
            ).with(\.underlying, error)
        case .corrupt, .io, .readOnly, .unreadable, .notFound:
            return ServiceError(
                .unavailable,
                "backup_failed",
                "The backup could not be made or read; older ones are kept. The server's log says why.",
                retryAfter: 60
            ).with(\.underlying, error)
        default: return ServiceError(error)
        }
    }
}

extension ServiceError {
    /// There is no folder for backups.
    /// - Parameter ledger: its database decides what to do instead.
    package static func noBackups(of ledger: Ledger) -> ServiceError {
        ServiceError(
            .conflict,
            "no_backup_folder",
            ledger.store?.isShared == true
                ? "The database is PostgreSQL's, and this server makes no backups of it. Make them with pg_dump, and check a restored one with gatehouse verify --database."
                : "This server keeps no backups. Start it with --backup-dir DIR, or run gatehouse backup --data DIR --out FILE on its machine."
        )
    }
}
