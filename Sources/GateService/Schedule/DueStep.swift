import GateJSON
import GateModel

/// A step of a window, ordered as the clock does them.
///
/// At the same moment, ends come before starts: an end must not take away what then starts, and a start finds what the end left. After
/// that, windows that were made first come first.
struct DueStep: Comparable {
    let due: Timestamp
    let isStart: Bool
    let window: Int

    init(_ window: Int, isStart: Bool, due: Timestamp) {
        self.window = window
        self.isStart = isStart
        self.due = due
    }

    /// The next step of a window; one that has none comes last.
    init(_ window: Window) {
        self.init(window.id, isStart: window.state != .running, due: window.due ?? Timestamp(milliseconds: .max))
    }

    static func < (one: DueStep, other: DueStep) -> Bool {
        (one.due, one.isStart ? 1 : 0, one.window) < (other.due, other.isStart ? 1 : 0, other.window)
    }
}
