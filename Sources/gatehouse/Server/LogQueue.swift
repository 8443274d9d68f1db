import Dispatch
import GateStore
import MicroHTTP
import Synchronization

/// Lines on their way to standard error, written by a thread of their own, so that code that logs never waits for the log's reader.
///
/// A limited number of bytes can wait. A line that finds no room is dropped and counted, and a line of its own says how many were dropped
/// as soon as something can be written again. Any thread; lines of one thread stay in order, and lines never mix.
final class LogQueue: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        /// Lines in `waiting`.
        var waitingCount: UInt64 = 0
        /// Lines taken in so far, and how many of them are through: written, or lost with a write that failed.
        var takenIn: UInt64 = 0
        var through: UInt64 = 0
        /// Lines dropped so far, and how many of them a line has reported.
        var dropped: UInt64 = 0
        var told: UInt64 = 0
        var lastWriteFailed = false
        /// The previous write ended within a line.
        var isWithinLine = false
        /// Somebody waited in vain, and nothing has been written since.
        var isStuck = false
        /// Callers that wait until that many lines are through.
        var waiters: [(line: UInt64, written: Alarm)] = []
    }

    /// A thousand lines or so: more than any burst that somebody will read.
    static let standardLimit = 256 << 10
    /// Room beyond the limit for lines that must not be lost because of others.
    private static let reserve = 32 << 10

    private let state = Mutex(State())
    private let thread = PausingThread("log")
    private let end: OutputEnd
    private let limit: Int
    private let notice: @Sendable (UInt64) -> [UInt8]

    /// - Parameters:
    ///   - end: where to write.
    ///   - limit: how many bytes may wait.
    ///   - notice: makes the line, with its end, that says how many were dropped.
    init(to end: OutputEnd = .error, limit: Int = LogQueue.standardLimit, notice: @escaping @Sendable (UInt64) -> [UInt8]) {
        self.end = end
        self.limit = limit
        self.notice = notice
    }

    /// Starts the thread, which runs until the process ends, because it may wait in a write for ever. Once, after `Signals.hold`.
    func start() {
        thread.start { [self] in
            while true {
                thread.pause(for: .never)
                while let batch = take() { finish(batch, written: end.write(batch.bytes)) }
            }
        }
    }

    /// Lines that were dropped so far.
    var droppedCount: UInt64 { state.withLock { $0.dropped } }

    /// Puts a line at the end; never waits.
    /// - Parameters:
    ///   - line: with its end.
    ///   - isUrgent: it may use the reserve.
    func append(_ line: [UInt8], isUrgent: Bool = false) {
        let isFirst = state.withLock { state in
            guard state.waiting.count + line.count <= limit + (isUrgent ? Self.reserve : 0) else {
                state.dropped += 1
                return false
            }
            state.waiting += line
            state.waitingCount += 1
            state.takenIn += 1
            return state.waitingCount == 1
        }
        if isFirst { thread.wake() }
    }

    /// Waits until every line so far is through.
    /// - Parameter patience: how long at most. If an earlier wait was in vain and nothing has been written since, this does not wait at
    ///   all.
    func flush(patience: DispatchTimeInterval) {
        let written = Alarm()
        let waits = state.withLock { state in
            guard state.through < state.takenIn, !state.isStuck else { return false }
            state.waiters.append((state.takenIn, written))
            return true
        }
        guard waits, !written.wait(for: patience) else { return }
        state.withLock { $0.isStuck = true }
    }

    // MARK: The thread

    private struct Batch {
        var bytes: [UInt8]
        let count: UInt64
        /// What `told` becomes once this is written.
        let told: UInt64
    }

    private func take() -> Batch? {
        let (batch, untold) = state.withLock { state -> (Batch?, UInt64) in
            let untold = state.dropped - state.told
            // After a failure the notice waits for another line to go with: alone it would be tried over and over.
            guard state.waitingCount > 0 || untold > 0 && !state.lastWriteFailed else { return (nil, 0) }
            let start: [UInt8] = state.isWithinLine ? [0x0A] : []
            let batch = Batch(bytes: start + state.waiting, count: state.waitingCount, told: state.dropped)
            state.waiting.removeAll(keepingCapacity: true)
            state.waitingCount = 0
            return (batch, untold)
        }
        guard var batch else { return nil }
        // The dropped lines came after all those that were waiting.
        if untold > 0 { batch.bytes += notice(untold) }
        return batch
    }

    private func finish(_ batch: Batch, written: Int) {
        let ready = state.withLock { state in
            let isWhole = written == batch.bytes.count
            state.lastWriteFailed = !isWhole
            if written > 0 {
                state.isStuck = false
                state.isWithinLine = batch.bytes[written - 1] != 0x0A
            }
            // On failure, lines that were cut off or not begun are lost; the notice after them, if any, is made again.
            if isWhole {
                state.told = batch.told
            } else {
                state.dropped += min(batch.count, UInt64(batch.bytes[written...].count { $0 == 0x0A }))
            }
            state.through += batch.count
            let ready = state.waiters.filter { $0.line <= state.through }
            state.waiters.removeAll { $0.line <= state.through }
            return ready.map(\.written)
        }
        for alarm in ready { alarm.ring() }
    }
}
