import Dispatch
import Foundation
import MicroHTTP

/// Runs a piece of work again and again on a thread of its own, with a pause between, until it is stopped.
final class Housekeeper: Sendable {
    private let end = Alarm()
    private let ended = DispatchSemaphore(value: 0)

    init(pause: DispatchTimeInterval, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread { [end, ended] in
            while !end.wait(for: pause) { work() }
            ended.signal()
        }
        thread.name = "housekeeping"
        thread.start()
    }

    /// Stops it and waits for work that is under way. To be called once.
    /// - Parameter patience: how long to wait at most; work that takes longer ends with the process.
    func stop(patience: DispatchTimeInterval = .never) {
        end.ring()
        _ = ended.wait(timeout: .now() + patience)
    }
}
