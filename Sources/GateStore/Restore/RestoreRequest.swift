package import GateCrypto
package import GateJSON

/// Which backup to restore into which folder, and what is known about changes after it.
package struct RestoreRequest: Sendable {
    /// The data folder; created if missing.
    package var directory: String
    package var backup: String
    /// The folder of the release's migrations.
    package var migrations: String
    /// Heads of the chains that were kept elsewhere.
    package var anchor: ChainAnchor?
    /// The highest sequence in a feed that was published from the folder; nil when none was kept.
    package var published: Int?
    /// Opens an encrypted backup.
    package var key: OpeningKey?
    /// Whether to write nothing.
    package var isTrial = false
    package var now: @Sendable () -> Timestamp
    package var random: RandomSource = .system
    /// For tests: called between the steps of taking the folder's place; what it throws ends the restore there, as a crash does.
    package var failpoint: (@Sendable (Step) throws -> Void)?

    /// The steps of taking the folder's place, in their order.
    package enum Step: String, Sendable, CaseIterable {
        case prepared, keyWritten, databaseAside, logAside, databasePlaced, keyPlaced, anchorPlaced, restAside
    }

    package init(directory: String, backup: String, migrations: String, now: @escaping @Sendable () -> Timestamp) {
        (self.directory, self.backup, self.migrations, self.now) = (directory, backup, migrations, now)
    }
}
