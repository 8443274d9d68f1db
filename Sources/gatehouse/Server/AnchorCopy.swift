import Dispatch
import GateModel
import GateService
import GateStore
import MicroHTTP
import Synchronization

/// The anchor's copy in a second place, such as another machine's disk, which may not answer for hours: a thread of its own reads and
/// writes it, and nobody waits for that longer than they say.
///
/// Any thread.
final class AnchorCopy: Sendable {
    /// Somebody who waits for the file's content.
    private final class Reading: Sendable {
        let end = Alarm()
        let found = Mutex<ChainAnchor?>(nil)
    }

    private struct State {
        /// What is to be written, if it is not there yet.
        var wanted: (anchor: ChainAnchor, store: Store)?
        /// What was written last.
        var copied: ChainAnchor?
        var readings: [Reading] = []
        /// Since when the place has been at work on what it was asked; nil when it is not.
        var busySince: ContinuousClock.Instant?
        /// Callers that wait until there is nothing to do.
        var waiters: [Alarm] = []
    }

    private let path: String
    private let failures: FailureLog
    /// Called when the place cannot be read or written, and with nil when it can again.
    private let tellFault: @Sendable (String?) -> Void
    private let state = Mutex(State())
    private let thread = PausingThread("anchor's copy")

    /// How long the place may take before the health says so.
    private static let patience = Duration.seconds(10)
    private static let silence = "anchor: the second place does not answer"

    /// Starts the thread, which runs until the process ends, because it may wait for the place for ever.
    init(_ path: String, failures: FailureLog, tellFault: @escaping @Sendable (String?) -> Void) {
        self.path = path
        self.failures = failures
        self.tellFault = tellFault
        thread.start { [self] in
            while true {
                thread.pause(for: .never)
                attend()
            }
        }
    }

    /// What is there; nil also when nothing is there yet, nothing that can be read, or no answer comes in time. What comes later is
    /// compared before it is written over.
    func read(patience: DispatchTimeInterval) -> ChainAnchor? {
        let reading = Reading()
        state.withLock { $0.readings.append(reading) }
        thread.wake()
        guard reading.end.wait(for: patience) else {
            tellFault(Self.silence)
            return nil
        }
        return reading.found.withLock { $0 }
    }

    /// Has an anchor written; one that still waits is left out for it.
    /// - Parameter store: what the place is compared with before the first time.
    func write(_ anchor: ChainAnchor, of store: Store) {
        let isNews = state.withLock { state in
            guard state.copied != anchor else { return false }
            state.wanted = (anchor, store)
            return true
        }
        if isNews { thread.wake() }
    }

    /// To be called about once a second: says so when the place has not answered for a while.
    func look() {
        let since = state.withLock { $0.busySince }
        if let since, ContinuousClock.now - since > Self.patience { tellFault(Self.silence) }
    }

    /// Waits until there is nothing left to do.
    /// - Parameter patience: how long at most; what takes longer ends with the process.
    func settle(patience: DispatchTimeInterval) {
        let settled = Alarm()
        let waits = state.withLock { state in
            guard state.busySince != nil || state.wanted != nil else { return false }
            state.waiters.append(settled)
            return true
        }
        if waits { _ = settled.wait(for: patience) }
    }

    // MARK: The thread

    private func attend() {
        while true {
            let (readings, wanted, waiters) = state.withLock { state in
                let work = (state.readings, state.wanted)
                (state.readings, state.wanted) = ([], nil)
                let isDone = work.0.isEmpty && work.1 == nil
                state.busySince = isDone ? nil : .now
                defer { if isDone { state.waiters = [] } }
                return (work.0, work.1, isDone ? state.waiters : [])
            }
            for waiter in waiters { waiter.ring() }
            if readings.isEmpty, wanted == nil { return }
            if !readings.isEmpty { answer(readings) }
            if let wanted { save(wanted.anchor, of: wanted.store) }
        }
    }

    private func answer(_ readings: [Reading]) {
        do throws(StoreError) {
            let found = try ChainAnchor.read(from: path, mayWait: true)
            for reading in readings { reading.found.withLock { $0 = found } }
        } catch {
            failures.failed(.oldAnchorCopy, error)
            tellFault("anchor: the copy in the second place cannot be read")
        }
        for reading in readings { reading.end.ring() }
    }

    private func save(_ anchor: ChainAnchor, of store: Store) {
        do throws(StoreError) {
            // A second place that was away at the start may come back with an anchor that nobody has looked at.
            if state.withLock({ $0.copied }) == nil, let fault = try ChainAnchor.read(from: path, mayWait: true)?.missing(in: store) {
                return tellFault(
                    "anchor: the copy in the second place knows what the database does not (\(fault)), and is left as it is"
                )
            }
            try anchor.write(to: path, mayWait: true, doing: Chore.anchorCopy.operation)
            failures.worked(.anchorCopy)
            failures.worked(.oldAnchorCopy)
            state.withLock { $0.copied = anchor }
            tellFault(nil)
        } catch {
            failures.failed(.anchorCopy, error)
            tellFault("anchor: the copy in the second place cannot be written")
        }
    }
}
