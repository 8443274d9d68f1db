import GateJSON
import GateModel

/// A step of a window, in the order in which the clock does them.
///
/// Of one moment, ends come before starts: what ends then must not take away what starts then, and what starts finds what the other one left.
/// Then the windows that were made first come first.
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
