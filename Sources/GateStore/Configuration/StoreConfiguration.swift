package import GateCrypto
package import GateJSON
package import GateModel

/// Where a store keeps its data and how it behaves.
package struct StoreConfiguration: Sendable {
    /// How SQLite makes a commit atomic.
    package enum Journal: String, Sendable {
        /// Write-ahead log with `synchronous=FULL`: one fsync a commit, and readers do not wait.
        case wal
        /// Rollback journal with `synchronous=EXTRA`: three to four fsyncs a commit, out of reach of the WAL-reset bug.
        case truncate
    }

    /// Points of a commit at which a test can let it fail, in their order.
    package enum CommitStep: String, Sendable, CaseIterable {
        case begun, checked, appsWritten, changeWritten, targetsWritten, gatesWritten, removalsWritten, idempotencyWritten, windowsWritten
    }

    /// DIR of the command line: holds `gatehouse.sqlite` and `gatehouse.lock`, and tolerates other files.
    package var directory: String
    /// Where the database is, in place of the folder's own file; the folder keeps lock, keys and what was published.
    package var server: DatabaseServer?
    /// How the folder's keys are shared with the other servers of the database; nil where each folder has its own. Only beside ``server``.
    package var sharing: KeySharing?
    /// The folder of `0001_….sql` and on, and of those for PostgreSQL in `postgresql` within it.
    package var migrations: String
    package var journal: Journal
    /// Whether a missing folder and database are made; else they are ``StoreError/Code/notFound``.
    package var createIfMissing: Bool
    /// The clock, for what expires.
    package var now: @Sendable () -> Timestamp
    /// What keys are made of.
    package var random: RandomSource = .system
    /// Seconds that a write waits for another program's lock before it is ``StoreError/Code/busy``.
    package var busyTimeout: Double = 5
    /// How many answers are kept for repeated requests.
    package var idempotency = IdempotencyRecord.Quota()
    /// The program's own version, for the folder to say who had it last.
    package var release = Release.current
    /// For tests: called between the statements of a commit; what it throws fails the commit there.
    package var failpoint: (@Sendable (CommitStep) throws -> Void)?
    /// For tests: SQL run between setting the pragmas and reading them back.
    package var afterPragmas: [String] = []
    /// For tests: SQL run on the writing connection once all is open.
    package var afterOpening: [String] = []

    package init(
        directory: String,
        migrations: String,
        journal: Journal = .wal,
        createIfMissing: Bool = false,
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
    ) {
        self.directory = directory
        self.migrations = migrations
        self.journal = journal
        self.createIfMissing = createIfMissing
        self.now = now
    }

    /// Whether others than the folder's owner may look into it. They learn the names of its files and no more: each is its owner's alone.
    package var isReadableByOthers: Bool { DataDirectory.othersCan(read: directory) }

    /// Makes the folder where there is none.
    /// - Throws: the file system's error, also for a file in its place.
    package func makeFolder() throws(StoreError) { try DataDirectory.prepare(directory, create: true) }

    /// Whether there is a database in the folder, sound or not; one of a server's is said to be there, and asked when it is opened.
    package var hasDatabase: Bool { server != nil || DataDirectory.exists(databasePath) }

    /// Whether a server kept beside its database how far that had come.
    package var hasAnchor: Bool { DataDirectory.exists(ChainAnchor.path(in: directory)) }

    /// Where the migrations of the database's engine are.
    var engineMigrations: String { server == nil ? migrations : migrations + "/postgresql" }

    /// What errors are about, for the log: a file, or the name of a database and its server.
    package var place: String { server?.description ?? databasePath }

    var busyMilliseconds: Int { Int(busyTimeout * 1_000) }

    var databasePath: String { directory + "/gatehouse.sqlite" }
    var walPath: String { databasePath + "-wal" }
    var lockPath: String { directory + "/gatehouse.lock" }
}
