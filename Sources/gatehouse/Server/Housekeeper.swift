import Dispatch
import GateStore

/// Runs a piece of work again and again on a thread of its own, with a pause between, until it is stopped.
final class Housekeeper: Sendable {
    private let thread = PausingThread("housekeeping")

    /// - Parameter endsWithWork: whether the work is done once more when it is stopped, for what came up during the last pause.
    init(pause: DispatchTimeInterval, endsWithWork: Bool = false, _ work: @escaping @Sendable () -> Void) {
        thread.start { [thread] in
            while !thread.pause(for: pause) { work() }
            if endsWithWork { work() }
        }
    }

    /// Stops it and waits for work that is under way. To be called once.
    /// - Parameter patience: how long to wait at most; work that takes longer ends with the process.
    func stop(patience: DispatchTimeInterval = .never) {
        thread.wake()
        thread.join(patience: patience)
    }
}
