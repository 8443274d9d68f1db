import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization

@testable import GateService

/// A service over a real store in a temporary folder, with the project's own migrations, a clock that stands still, and a sink that
/// remembers. The folder is removed when the test lets go of every house in it.
final class House: Sendable {
    struct Failure: Error {}

    let folder: String
    /// What the folder is in. Houses over one folder share it, so that it is there for as long as one of them is.
    private let files: TemporaryFolder
    let clock: TestClock
    let sink = RecordingSink()
    let ledger: Ledger
    var service: ChangeService { ChangeService(ledger: ledger) }
    let access: AccessService
    let fault = FaultSwitch()
    let told = ToldFailures()
    /// Where the database is, when the tests run on PostgreSQL.
    let server: PostgresDatabase?

    static let migrations = ProjectFiles.migrations

    /// - Parameters:
    ///   - server: nil for a new one where the tests run on PostgreSQL.
    ///   - start: whether to open the store, read it, and call its history checked.
    convenience init(
        server: PostgresDatabase? = nil,
        protected: Bool = false,
        clock: TestClock = TestClock(),
        random: RandomSource = .system,
        start: Bool = true
    ) throws {
        let files = try TemporaryFolder()
        // The server makes its data folder itself.
        try self.init(
            folder: files.path + "/data",
            files: files,
            server: server,
            protected: protected,
            clock: clock,
            random: random,
            start: start
        )
    }

    /// Another server on the database and with the clock of that house, and over its folder unless another one is named.
    convenience init(again house: House, folder: String? = nil, start: Bool = true) throws {
        try self.init(folder: folder ?? house.folder, files: house.files, server: house.server, clock: house.clock, start: start)
    }

    private init(
        folder: String,
        files: TemporaryFolder,
        server: PostgresDatabase?,
        protected: Bool = false,
        clock: TestClock = TestClock(),
        random: RandomSource = .system,
        start: Bool = true
    ) throws {
        self.server = try server ?? TestEngine.database()
        self.folder = folder
        self.files = files
        self.clock = clock
        let failures = FailureLog(now: { clock.now }, line: told.add)
        ledger = Ledger(
            environment: Environment(name: "test", colour: "development", isProtected: protected),
            folder: PublicationFolder(dataFolder: self.folder),
            sink: sink,
            failures: failures,
            now: { clock.now }
        )
        access = AccessService(
            store: { [ledger] in ledger.store },
            hasher: PasswordHasher(cost: .least),
            random: random,
            failures: failures,
            now: { clock.now }
        )
        if start {
            try open()
            ledger.historyChecked(fault: nil)
        }
    }

    deinit {
        // The folder goes with it: whatever is not closed harms nobody.
        try? ledger.store?.close()
    }

    /// What `--database` would say.
    var address: DatabaseServer? { server.flatMap { try? DatabaseServer($0.url) } }

    func configuration() -> StoreConfiguration {
        var configuration = StoreConfiguration(
            directory: folder,
            migrations: Self.migrations,
            createIfMissing: true,
            now: { [clock] in clock.now }
        )
        configuration.server = address
        configuration.busyTimeout = 0.05
        configuration.failpoint = { [fault] step in try fault.hit(step) }
        return configuration
    }

    func open() throws { try ledger.start(with: Store(configuration())) }

    func close() throws { try ledger.store?.close() }

    /// What makes a connection one that can be read only.
    static let readOnly = TestEngine.current == .sqlite ? "PRAGMA query_only = ON" : "SET default_transaction_read_only = on"

    /// Closes the store and opens it again with SQL run on its connections, such as ``readOnly``.
    func reopen(_ sql: String...) throws {
        try close()
        var configuration = configuration()
        configuration.afterOpening = sql
        try ledger.start(with: Store(configuration))
        ledger.historyChecked(fault: nil)
    }

    /// The folder as `kill -9` would leave it now: every file copied while the store is open. On PostgreSQL a second server of the
    /// database.
    func killed() throws -> House {
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder, toPath: copy.path + "/data")
        return try House(folder: copy.path + "/data", files: copy, server: server, clock: clock)
    }

    // MARK: Writing

    @discardableResult
    func submit(_ command: Command, _ terms: WriteTerms = WriteTerms(), by caller: Caller = .admin, key: IdempotencyKey? = nil) throws
        -> Outcome
    {
        var outcome: Outcome?
        _ = try service.submit(command, terms: terms, by: caller, idempotency: key) { made in
            outcome = made
            return Answer(status: 200, body: Self.body(made))
        }
        return try outcome.unwrapped()
    }

    /// The answer, first given or given again.
    func answer(_ command: Command, _ terms: WriteTerms = WriteTerms(), by caller: Caller = .admin, key: IdempotencyKey? = nil) throws
        -> Answer
    {
        try service.submit(command, terms: terms, by: caller, idempotency: key) { Answer(status: 200, body: Self.body($0)) }
    }

    static func body(_ outcome: Outcome) -> [UInt8] {
        let body: JSONValue = ["change": outcome.change?.json ?? .null, "plan": outcome.plan.json]
        return body.bytes
    }

    /// An app with the given platforms.
    func add(_ app: String, _ platforms: String..., settings: JSONValue = [:]) throws {
        try submit(.createApp(AppKey(app)!, name: app))
        for platform in platforms { try submit(.putPlatform(TargetKey("\(app)/\(platform)")!, settings: settings)) }
    }

    /// Sets rules on targets at their present revisions.
    @discardableResult
    func set(_ targets: String..., to json: String, _ terms: WriteTerms = WriteTerms(), by caller: Caller = .admin) throws -> Outcome {
        try submit(.set(try targets.map { ($0, try revision($0)) }, json), terms, by: caller)
    }

    func target(_ text: String) throws -> Target { try ledger.target(TargetKey(text)!, for: .admin) }

    func revision(_ text: String) throws -> Int { try target(text).revision }

    /// Everything that readers of the service and the database can see.
    func snapshot() throws -> Snapshot {
        Snapshot(
            apps: ledger.apps(for: .admin),
            sequence: ledger.sequence,
            feeds: sink.bytes,
            stored: try ledger.store.unwrapped().loadState()
        )
    }

    struct Snapshot: Equatable {
        let apps: [App]
        let sequence: Int
        let feeds: [String: [UInt8]]
        let stored: StoredState
    }
}

/// Lets commits fail at a step for as long as it is set.
final class FaultSwitch: Sendable {
    private let set = Mutex<(step: StoreConfiguration.CommitStep, error: @Sendable () -> any Error)?>(nil)

    func fail(at step: StoreConfiguration.CommitStep, with error: @escaping @Sendable () -> any Error = { House.Failure() }) {
        set.withLock { $0 = (step, error) }
    }

    func mend() { set.withLock { $0 = nil } }

    func hit(_ step: StoreConfiguration.CommitStep) throws {
        if let set = set.withLock({ $0 }), set.step == step { throw set.error() }
    }
}

/// Keeps what the service told the log.
final class ToldFailures: Sendable {
    private let told = Mutex<[Failure]>([])

    @Sendable func add(_ failure: Failure) { told.withLock { $0.append(failure) } }

    var all: [Failure] { told.withLock { $0 } }

    /// What was told since it was asked last.
    func take() -> [Failure] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }
}

/// Keeps what was published, and in what order.
final class RecordingSink: FeedSink {
    func set(_ gaps: FeedGaps) { told.withLock { $0 = gaps } }
    private let told = Mutex(FeedGaps.none)
    var gaps: FeedGaps { told.withLock { $0 } }

    private struct Record: Sendable {
        var apps: [AppKey: PublishedApp] = [:]
        var batches: [[AppKey]] = []
    }

    private let record = Mutex(Record())

    func publish(_ apps: [(key: AppKey, app: PublishedApp?)]) {
        record.withLock { record in
            record.batches.append(apps.map(\.key))
            for (key, app) in apps { record.apps[key] = app }
        }
    }

    var batches: [[AppKey]] { record.withLock { $0.batches } }

    /// The bytes at every path that is served, aliases too.
    var bytes: [String: [UInt8]] {
        record.withLock { record in
            var bytes: [String: [UInt8]] = [:]
            for app in record.apps.values {
                for feed in app.feeds { bytes[feed.path] = feed.bytes }
                for feed in app.ownFeeds { bytes[feed.path] = feed.bytes }
                for alias in app.aliases { bytes[alias.path] = bytes[alias.feed] }
            }
            return bytes
        }
    }

    func text(_ path: String) -> String? { bytes[path].map { String(decoding: $0, as: UTF8.self) } }

    /// All but the native feeds, whose sequence, revision and time count on.
    var withoutNative: [String: [UInt8]] { bytes.filter { !$0.key.hasSuffix("/gate.json") } }
}

extension Optional {
    struct Missing: Error {}

    func unwrapped() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}
