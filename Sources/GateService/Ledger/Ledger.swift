package import GateJSON
package import GateModel
import GateStore
import Synchronization

/// What is in force, as the database has it, and the one place where that is altered: commit, publish, and memory follows.
///
/// Thread-safe. Whoever looks takes a copy of one moment and never waits for a writer. Whoever writes waits for their ``Turn``; nothing here
/// can be altered without one, and there is one at a time, from the commit to the publication, so that feeds appear in the order of the
/// history.
package final class Ledger: Sendable {
    package let environment: Environment
    let wideShare: Double
    /// Whether the feeds are in an object store, too.
    let isStored: Bool
    let now: @Sendable () -> Timestamp
    let sink: any FeedSink
    package let folder: PublicationFolder
    /// Where failures are told that nobody is told of in an answer.
    package let failures: FailureLog
    private let turns = WritersLock(Turn())
    private let state = Mutex(State())
    private let observers = Mutex(Observers())

    /// All that is known. It is altered with ``alter(in:_:)``; what is wrong at the moment may be told by anybody.
    struct State: Sendable {
        var catalog = Catalog()
        var schedule = Schedule()
        var recent = RecentChanges([], floor: 0)
        var lastChanges = LastChanges()
        /// Counts how often the database was read from its beginning.
        var reading = 0
        var troubles = Troubles()
        /// Nil while the database cannot be opened.
        var store: Store?
        /// Of a database that others write to as well: when this server knew last what is in it, and whether it cannot ask any more.
        var contact = Contact()
        var lastPublished: Timestamp?
        /// Apps that are served as they were published last, until the database says which there are.
        var provisional: [AppKey] = []
        var unreadable = UnreadableRows()

        /// Nil while there would be no answer.
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

    /// - Parameter wideShare: a change of a rule about versions is more dangerous by one tier where it newly shuts out more than this share of
    ///   the last hour's polls, 0 to 1. Of polls that name a version; 1 is never exceeded.
    /// - Parameter isStored: whether plans tell what phones that read an object store do not get.
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

    /// Waits for the turn, and lets all other writers wait until `body` returns. What needs no more than a ``Snapshot`` is done before.
    func write<Value, Failure: Error>(_ body: (borrowing Turn) throws(Failure) -> Value) throws(Failure) -> Value {
        try turns.withLock(body)
    }

    /// Waits until nobody writes, and keeps nobody waiting: for work that can be put off.
    func giveWay() { turns.wait() }

    /// Calls `observer` whenever a writer is done, with how long all others had to wait for it: from its turn to its end.
    package func observeWriters(_ observer: @escaping @Sendable (Duration) -> Void) { turns.observe(observer) }

    // MARK: What is known

    /// Looks at what is known. Everybody takes the same short lock for that: only copies are made in `body`.
    func look<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    /// Alters what is known. Readers take the same short lock: nothing is worked out in `body`.
    func alter(in turn: borrowing Turn, _ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Everything that plans are made on, as it is now.
    var snapshot: Snapshot { look(\.snapshot) }

    /// Keeps a change that was read, for those who ask for it next.
    func remember(lastChange change: Change) { state.withLock { $0.lastChanges.keep(change) } }

    // MARK: What is wrong

    /// Says what is wrong with a part, or that it is well again.
    func report(_ reason: String?, on subject: Troubles.Subject) { state.withLock { $0.troubles[subject] = reason } }

    /// The same for several at once.
    func report(_ body: (inout Troubles) -> Void) { state.withLock { body(&$0.troubles) } }

    /// The same where it is about what is known as well.
    func mark(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Says which rows nobody can read, beside those that are known.
    func report(unreadable rows: [StoreFault]) {
        state.withLock { state in
            state.unreadable.add(rows)
            state.troubles[.unreadableRows] = state.unreadable.reason
        }
    }

    /// Remembers what a failed write says about the database; the next write that works, or the housekeeper's look, clears it.
    func note(_ error: StoreError) {
        switch error.code {
        case .full, .readOnly, .busy, .io, .corrupt, .unreadable, .uncertain: report(Health.reason(error), on: .database)
        default: break
        }
    }

    // MARK: Who is told

    /// Calls `observer` with every change that was made and published, in their order, while the next ones wait: it must be quick and not
    /// call back.
    package func observeChanges(_ observer: @escaping @Sendable (Change) -> Void) { observers.withLock { $0.change = observer } }

    func tell(_ change: Change) { observers.withLock { $0.change }?(change) }

    /// Calls `observer` with every window that was written, as ``observeChanges(_:)`` does with changes.
    package func observeWindows(_ observer: @escaping @Sendable (Window) -> Void) { observers.withLock { $0.window = observer } }

    func tell(_ windows: [WindowRecord]) {
        guard !windows.isEmpty, let observer = observers.withLock({ $0.window }) else { return }
        for record in windows { observer(record.window) }
    }

    /// What to call whenever the clock may have something else to do, or sooner; on any thread, and must not call back.
    package func setAlarm(_ wake: @escaping @Sendable () -> Void) { observers.withLock { $0.alarm = wake } }

    package func wake() { observers.withLock { $0.alarm }?() }

    /// From where plans learn which documents phones poll; until it is called, and without, they speak of every library.
    package func learnPolls(from record: any PollRecord) { observers.withLock { $0.polls = record } }

    var pollRecord: (any PollRecord)? { observers.withLock { $0.polls } }
}

/// The right to write: whoever is lent it has the ledger's lock. There is no other way to come by one, and none to keep it.
struct Turn: ~Copyable, Sendable {
    fileprivate init() {}
}
