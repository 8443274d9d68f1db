import Synchronization

/// Passes lines on, but not without end: libmicrohttpd has one for every connection that breaks, and a caller can break many.
final class LimitedLog: Sendable {
    private static let linesPerWindow = 20
    private static let window: UInt64 = 10_000_000_000

    private struct State {
        var windowBegan: UInt64 = 0
        var passed = 0
        var withheld = 0
    }

    private let state = Mutex(State())
    private let sink: @Sendable (String) -> Void

    init(_ sink: @escaping @Sendable (String) -> Void) {
        self.sink = sink
    }

    func callAsFunction(_ line: String) {
        let now = MonotonicClock.nanoseconds()
        let (passes, withheld) = state.withLock { state in
            var withheld = 0
            if DeadlineSweeper.elapsed(since: state.windowBegan, at: now) > Self.window {
                withheld = state.withheld
                state = State(windowBegan: now)
            }
            state.passed += 1
            if state.passed > Self.linesPerWindow { state.withheld += 1 }
            return (state.passed <= Self.linesPerWindow, withheld)
        }
        if withheld > 0 { sink("\(withheld) lines of the HTTP library were withheld") }
        if passes { sink(line) }
    }
}
