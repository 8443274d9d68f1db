import GateCrypto
import GateFeeds
package import GateJSON
package import GateModel
import GateStore
import Synchronization

/// The one way by which anything that alters a feed is changed: plan, commit, publish.
///
/// Thread-safe. Reads come from memory and never wait for a write; writes are one at a time, and one lock is held over commit and
/// publication, so that feeds appear in the order of the history.
package final class ChangeService: Sendable {
    package let environment: Environment
    let now: @Sendable () -> Timestamp
    let sink: any FeedSink
    package let folder: PublicationFolder
    /// Where failures are told that nobody is told of in an answer.
    package let failures: FailureLog
    let writing = WritersLock()
    let state: Mutex<State>
    private let alarm = Mutex(Alarm())
    private let polls = Mutex<(any PollRecord)?>(nil)

    /// In a structure for the reason that ``WritersLock`` gives.
    private struct Alarm: Sendable {
        var ring: (@Sendable () -> Void)?
        var told: (@Sendable (Change) -> Void)?
        var window: (@Sendable (Window) -> Void)?
    }

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
        var lastPublished: Timestamp?
        /// Apps that are served as they were published last, until the database says which there are.
        var provisional: [AppKey] = []
        var unreadable = UnreadableRows()

        var snapshot: Snapshot { Snapshot(catalog: catalog, schedule: schedule, reading: reading) }
    }

    package init(
        environment: Environment, folder: PublicationFolder, sink: any FeedSink, failures: FailureLog = .none, now: @escaping @Sendable () -> Timestamp
    ) {
        self.environment = environment
        self.folder = folder
        self.failures = failures
        self.sink = sink
        self.now = now
        state = Mutex(State())
    }

    // MARK: Writes

    /// Plans a command and, unless it is a trial, carries it out.
    ///
    /// - Parameters:
    ///   - idempotency: when it was used before with the same request, that answer comes back and nothing happens.
    ///   - answer: makes the answer that is kept under the key; called before the commit, because it is written with it.
    /// - Returns: the answer, first given or given again.
    /// - Throws: ``ServiceError``; then nothing was written and no feed has changed.
    package func submit(
        _ command: Command,
        terms: WriteTerms,
        by caller: Caller,
        idempotency: IdempotencyKey?,
        answer: (Outcome) -> Answer
    ) throws(ServiceError) -> Answer {
        try caller.requireFor(command)
        let effects = EffectMemory()
        func step(on snapshot: Snapshot, isHeld: Bool = false) throws(ServiceError) -> Step {
            var planner = planner(snapshot.catalog)
            planner.sees = caller.sees
            planner.limitEffects(isHeld: isHeld, memory: effects)
            var step = snapshot.schedule.warned(try planner.plan(command, terms: terms))
            effects.settle(&step.plan, isHeld: isHeld)
            step.plan = step.plan.fitting()
            return step
        }
        func undone(_ step: Step, on snapshot: Snapshot) -> Answer {
            answer(
                Outcome(
                    change: nil, plan: step.plan, isDryRun: terms.dryRun, app: command.app.flatMap { snapshot.catalog.apps[$0] },
                    plannedAt: snapshot.catalog.sequence
                )
            )
        }
        if terms.dryRun {
            let snapshot = snapshot
            return undone(try step(on: snapshot), on: snapshot)
        }
        return try written(by: caller, under: idempotency) { () throws(ServiceError) in
            try planned { snapshot, isHeld throws(ServiceError) -> (prepared: PreparedStep, reason: String?, ready: Ready?) in
                let step = try step(on: snapshot, isHeld: isHeld)
                guard !step.changesNothing else { return (try PreparedStep(step, sequence: 0, at: now()), nil, nil) }
                let reason = Self.reason(try terms.cleanReason(for: step.plan, accepted: step.accepted, named: command.named), telling: step.appsAlone)
                let prepared = try PreparedStep(step, sequence: snapshot.catalog.sequence + 1, at: now())
                return (prepared, reason, ready(prepared, command: command, reason: reason, caller: caller, answer: answer))
            } holds: { draft, before, now in
                // What else a plan looks at, such as who has which alias, only commands ask that are seldom: they are planned anew.
                guard case .gates(let commands, _) = command else { return false }
                return now.agrees(with: before, about: Set(commands.map(\.target.app)))
            } carryOut: { draft, snapshot throws(ServiceError) in
                if let repeated = try repeated(idempotency, by: caller) { return repeated }
                guard !draft.prepared.step.changesNothing else {
                    let result = undone(draft.prepared.step, on: snapshot)
                    try keep(result, under: idempotency, of: caller)
                    return result
                }
                return try commit(draft.prepared, command: command, reason: draft.reason, caller: caller, idempotency: idempotency, snapshot: snapshot, ready: draft.ready, answer: answer)
            }
        }
    }

    // MARK: The log

    /// Calls `observer` with every change that was made and published, in their order, while the next ones wait: it must be quick and not
    /// call back.
    package func observeChanges(_ observer: @escaping @Sendable (Change) -> Void) { alarm.withLock { $0.told = observer } }

    func tell(_ change: Change) { alarm.withLock { $0.told }?(change) }

    /// Calls `observer` with every window that was written, as ``observeChanges(_:)`` does with changes.
    package func observeWindows(_ observer: @escaping @Sendable (Window) -> Void) { alarm.withLock { $0.window = observer } }

    func tell(_ windows: [WindowRecord]) {
        guard !windows.isEmpty, let observer = alarm.withLock({ $0.window }) else { return }
        for record in windows { observer(record.window) }
    }

    // MARK: Polls

    /// From where plans learn which documents phones poll; until it is called, and without, they speak of every library.
    package func learnPolls(from record: any PollRecord) { polls.withLock { $0 = record } }

    var pollRecord: (any PollRecord)? { polls.withLock { $0 } }

    // MARK: Time

    /// What to call whenever there may be something else to do, or sooner; on any thread, and must not call back.
    package func setAlarm(_ wake: @escaping @Sendable () -> Void) { alarm.withLock { $0.ring = wake } }

    func wake() { alarm.withLock { $0.ring }?() }
}
