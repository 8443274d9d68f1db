import Dispatch
import Foundation
import Synchronization

/// Ctrl-C: says whether a write had left, and ends the process with 130.
enum Interrupt {
    enum Moment: Sendable {
        /// Reading only: there is nothing to tell.
        case reading
        /// A command that writes, before it has sent its write.
        case beforeWrite
        /// The write has left and is not answered.
        case writing
        /// The write is done; what it brought is waited for.
        case waiting
        /// Ctrl-C is the pager's.
        case paging
    }

    private static let moment = Mutex(Moment.reading)
    private static let watch = Watch()
    private static let terminal = Mutex<termios?>(nil)

    /// How the terminal must be left when the process is interrupted while something is typed unseen; nil when it is as it was.
    static func restoringTerminal(_ settings: termios?) { terminal.withLock { $0 = settings } }

    static func now(_ new: Moment) { moment.withLock { $0 = new } }

    /// Call once, early.
    static func install() { _ = watch }

    /// Keeps the signal's source alive for the life of the process.
    private final class Watch: @unchecked Sendable {
        // Unchecked: the source is only made and started, in the initialiser; Dispatch itself is thread-safe.
        private let source: any DispatchSourceSignal

        init() {
            signal(SIGINT, SIG_IGN)
            source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global(qos: .userInteractive))
            source.setEventHandler {
                let present = moment.withLock { $0 }
                if present == .paging { return }
                let words: String? =
                    switch present {
                    case .reading, .paging: nil
                    case .beforeWrite: "\ninterrupted: nothing was changed\n"
                    case .waiting: "\ninterrupted: the change is made; only the waiting ends\n"
                    case .writing: "\ninterrupted: the request had left; the change may or may not have been made\n  next: gatectl status\n"
                    }
                // The process ends in the next line whatever becomes of the words.
                if let words { try? FileHandle.standardError.write(contentsOf: Data(words.utf8)) }
                if var settings = terminal.withLock({ $0 }) { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
                _exit(Exit.interrupted.rawValue)
            }
            source.resume()
        }
    }
}
