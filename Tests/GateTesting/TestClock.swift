package import GateJSON
import Synchronization

/// A clock that stands still until a test moves it. Thread-safe.
package final class TestClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_774_000_000_000)

    package init() {}

    package var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

    /// The same as time that has passed, for whoever runs on a clock that nobody sets.
    package var uptime: Duration { .milliseconds(milliseconds.withLock { $0 }) }

    package func advance(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1_000 } }
}
