package import GateJSON
package import GateModel
import GateStore
import Synchronization

/// What is in force, as stored in the database, and the one place where that is changed: commit, publish, then update memory.
///
/// Thread-safe. Readers take a copy of one moment and never wait for a writer. Writers wait for their ``Turn``; nothing here can be changed
/// without one, and only one exists at a time, from the commit to the publication, so that feeds appear in the order of the history.
package final class Ledger: Sendable {
    package let environment: Environment
    let wideShare: Double
    /// Whether the feeds are in an object store, too.
    let isStored: Bool
    let now: @Sendable () -> Timestamp
    let sink: any FeedSink
    package let folder: PublicationFolder
    /// Where failures go that no answer reports.
    package let failures: FailureLog
    private let turns = WritersLock(Turn())
    private let state = Mutex(State())
    private let observers = Mutex(Observers())
    let failedStarts = FailedStartMemory()

    /// All that is known. It is changed with ``alter(in:_:)``; anybody may report what is wrong at the moment.
    struct State: Sendable {
        var catalog = Catalog()
        var schedule = Schedule()
        var recent = RecentChanges([], floor: 0)
        var lastChanges = LastChanges()
        /// How often the database was read from scratch.
        var reading = 0
        var troubles = Troubles()
        /// Nil while the database cannot be opened.
        var store: Store?
        /// The history's trouble is that the database lacks the last change known here.
        var isOtherHistory = false
        /// For a database that others write to as well: when this server last knew its content, and whether it is out of reach.
        var contact = Contact()
        var lastPublished: Timestamp?
        /// Apps whose last published feeds are served until the database says which apps exist.
        var provisional: [AppKey] = []
        var unreadable = UnreadableRows()

        /// Nil also while the store would not answer.
        var reachableStore: Store? { contact.isLost ? nil : store }

        var snapshot: Snapshot { Snapshot(catalog: catalog, schedule: schedule, reading: reading) }
    }

    /// In a structure for the reason that ``WritersLock`` gives.
    private struct Observers: Sendable {
        var alarm: (@Sendable () -> Void)?
        var change: (@Sendable (Change) -> Void)?
        var window: (@Sendable (Window) -> Void)?
        var polls: (any PollRecord)?
    }

    /// - Parameters:
    ///   - wideShare: a change of a version rule is one tier more dangerous when it newly shuts out more than this share, 0 to 1, of the
    ///     last hour's polls that named a version. With 1 that never happens.
    ///   - isStored: whether the feeds are also in an object store; plans then say what phones that read it do not get.
    package init(
        environment: Environment,
        wideShare: Double = 0.25,
        isStored: Bool = false,
        folder: PublicationFolder,
        sink: any FeedSink,
        failures: FailureLog = .none,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.environment = environment
        self.wideShare = wideShare
        self.isStored = isStored
        self.folder = folder
        self.failures = failures
        self.sink = sink
        self.now = now
    }

    // MARK: Turns

    /// Waits for the turn, and makes all other writers wait until `body` returns. Do all work that needs only a ``Snapshot`` beforehand.
    func write<Value, Failure: Error>(_ body: (borrowing Turn) throws(Failure) -> Value) throws(Failure) -> Value {
        try turns.withLock(body)
    }

    /// The same for whoever has to answer a request: a disk that is slow must not keep callers waiting, and with them everybody whose
    /// requests the same threads answer.
    /// - Throws: `database_busy` (503) when the turn did not come in time; then nothing was begun.
    func writeSoon<Value>(_ body: (borrowing Turn) throws(ServiceError) -> Value) throws(ServiceError) -> Value {
        let patience = store?.configuration.patience ?? StoreConfiguration.usualPatience
        guard let value = try turns.withLock(patience: patience, body) else {
            throw ServiceError(StoreError(.slow, "Other changes took longer than \(patience)"))
        }
        return value
    }

    /// Whether a write has been under way for so long that the disk, or whatever else it waits for, cannot be well.
    var isSlow: Bool { max(turns.heldFor, store?.writingFor ?? .zero) > Self.slowWrite }

    private static let slowWrite = Duration.seconds(2)

    /// Waits until nobody writes, without making anybody wait: for work that can be put off.
    func giveWay() { turns.wait() }

    /// Calls `observer` whenever a writer is done, with how long it kept all others out: from the start of its turn to the end.
    package func observeWriters(_ observer: @escaping @Sendable (Duration) -> Void) { turns.observe(observer) }

    // MARK: What is known

    /// Looks at what is known. All callers take the same short lock, so `body` must only make copies.
    func look<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    /// Changes what is known. Readers take the same short lock, so nothing is computed in `body`.
    func alter(in turn: borrowing Turn, _ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Everything that plans are made on, as it is now.
    var snapshot: Snapshot { look(\.snapshot) }

    /// Keeps a change that was read from the database, for later readers.
    func remember(lastChange change: Change) { state.withLock { $0.lastChanges.keep(change) } }

    // MARK: What is wrong

    /// Reports what is wrong with a subject, or that it has recovered (nil).
    func report(_ reason: String?, on subject: Troubles.Subject) { state.withLock { $0.troubles[subject] = reason } }

    /// The same, where the reason names apps or rows.
    func report(naming reason: Troubles.Reason?, on subject: Troubles.Subject) { state.withLock { $0.troubles.set(reason, on: subject) } }

    /// The same, when it also changes other parts of the state.
    func mark(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Adds to the rows that are known to be unreadable.
    func report(unreadable rows: [StoreFault]) {
        state.withLock { state in
            state.unreadable.add(rows)
            state.troubles.set(state.unreadable.reason, on: .unreadableRows)
        }
    }

    /// Notes what a failed write says about the database; the next write that works, or the housekeeper's probe, clears it.
    func note(_ error: StoreError) {
        switch error.code {
        case .full, .readOnly, .busy, .io, .corrupt, .unreadable, .uncertain: report(Health.reason(error), on: .database)
        // Of a shared database another server may have written: then the change is planned again.
        case .conflict where store?.isShared == false:
            let now = "changes that do not fit are refused until the server is started again"
            report("database: somebody else has written it; \(now)", on: .otherWriter)
        default: break
        }
    }

    // MARK: Who is told

    /// Calls `observer` with every change after its publication, in order, while the next ones wait: it must be quick and must not call
    /// back.
    package func observeChanges(_ observer: @escaping @Sendable (Change) -> Void) { observers.withLock { $0.change = observer } }

    func tell(_ change: Change) { observers.withLock { $0.change }?(change) }

    /// Calls `observer` with every window that was written, as ``observeChanges(_:)`` does with changes.
    package func observeWindows(_ observer: @escaping @Sendable (Window) -> Void) { observers.withLock { $0.window = observer } }

    func tell(_ windows: [WindowRecord]) {
        guard !windows.isEmpty, let observer = observers.withLock({ $0.window }) else { return }
        for record in windows { observer(record.window) }
    }

    /// Sets what to call when the clock may have something to do sooner, or something else. It may be called on any thread, and must not
    /// call back.
    package func setAlarm(_ wake: @escaping @Sendable () -> Void) { observers.withLock { $0.alarm = wake } }

    package func wake() { observers.withLock { $0.alarm }?() }

    /// Sets where plans learn which documents phones poll; without it, plans speak of every library.
    package func learnPolls(from record: any PollRecord) { observers.withLock { $0.polls = record } }

    var pollRecord: (any PollRecord)? { observers.withLock { $0.polls } }
}

/// The right to write: whoever is lent it holds the ledger's lock. It cannot be obtained in any other way, and cannot be kept.
struct Turn: ~Copyable, Sendable {
    fileprivate init() {}
}
