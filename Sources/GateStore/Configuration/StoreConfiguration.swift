package import GateCrypto
package import GateJSON
package import GateModel

/// Where a store keeps its data and how it behaves.
package struct StoreConfiguration: Sendable {
    /// How SQLite makes a commit atomic.
    package enum Journal: String, Sendable {
        /// Write-ahead log with `synchronous=FULL`: one fsync per commit, and readers do not wait.
        case wal
        /// Rollback journal with `synchronous=EXTRA`: three to four fsyncs per commit, and not affected by the WAL-reset bug.
        case truncate
    }

    /// Points of a commit at which a test can make it fail, in their order.
    package enum CommitStep: String, Sendable, CaseIterable {
        case begun, checked, appsWritten, changeWritten, targetsWritten, gatesWritten, removalsWritten, idempotencyWritten, windowsWritten
    }

    package static let usualPatience = Duration.seconds(3)

    /// DIR of the command line: holds `gatehouse.sqlite` and `gatehouse.lock`, and tolerates other files.
    package var directory: String
    /// Where the database is, if not in the folder's own file; the folder keeps the lock, the keys and what was published.
    package var server: DatabaseServer?
    /// How the folder's keys are shared with the other servers of the database; nil where each folder has its own. Only beside ``server``.
    package var sharing: KeySharing?
    /// The folder of the migrations, `0001_….sql` and so on; those for PostgreSQL are in `postgresql` within it.
    package var migrations: String
    package var journal: Journal
    /// Whether a missing folder and database are created; otherwise they are ``StoreError/Code/notFound``.
    package var createIfMissing: Bool
    /// The clock, for everything that expires.
    package var now: @Sendable () -> Timestamp
    /// The source of randomness for keys.
    package var random: RandomSource = .system
    /// Seconds that a write waits for another program's lock before it is ``StoreError/Code/busy``.
    package var busyTimeout: Double = 5
    /// How long a write waits for this process's other writes, which a slow disk holds up, before it is ``StoreError/Code/slow``. With the
    /// same again for the turn of whoever changes gates, an answer comes within the six seconds of reliability R14.
    package var patience = Self.usualPatience
    /// How many answers are kept for repeated requests.
    package var idempotency = IdempotencyRecord.Quota()
    /// The program's own version, noted in the folder as the last to use it.
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

    /// Whether users other than the folder's owner may list it. They only learn the names of its files: the files themselves are private.
    package var isReadableByOthers: Bool { DataDirectory.othersCan(read: directory) }

    /// Creates the folder if it is missing.
    /// - Throws: the file system's error, also for a file in its place.
    package func makeFolder() throws(StoreError) { try DataDirectory.prepare(directory, create: true) }

    /// Whether there is a database in the folder, sound or not. Always true for a database on a server, which is only contacted when it is
    /// opened.
    package var hasDatabase: Bool { server != nil || DataDirectory.exists(databasePath) }

    /// Whether a server has left its anchor, the last change it knew of, beside its database.
    package var hasAnchor: Bool { DataDirectory.exists(ChainAnchor.path(in: directory)) }

    /// Where the migrations of the database's engine are.
    var engineMigrations: String { server == nil ? migrations : migrations + "/postgresql" }

    /// What errors refer to, for the log: a file, or the name of a database and its server.
    package var place: String { server?.description ?? databasePath }

    var busyMilliseconds: Int { Int(busyTimeout * 1_000) }

    var databasePath: String { directory + "/gatehouse.sqlite" }
    var walPath: String { databasePath + "-wal" }
    var lockPath: String { directory + "/gatehouse.lock" }
}
