import GateJSON
import GateModel
import GateService
import Logging
import Synchronization

/// What happens, as lines of the log: each change, each window, a clock that was set, and each turn of the server's health. Reading them in
/// the morning tells what happened in the night.
final class NightStory: Sendable {
    private let log: Logger
    private let health = Mutex<Health?>(nil)
    /// By how many milliseconds the wall clock is ahead of the monotonic clock.
    private let clock = Mutex<Int64?>(nil)

    /// How many targets a line names; a change may have a thousand.
    private static let mostTargets = 20

    init(_ log: Logger) { self.log = log }

    func tell(_ change: Change) {
        let named = change.targets.prefix(Self.mostTargets).map { changed in
            let turn =
                changed.before.state == changed.after.state
                ? changed.after.state.rawValue : "\(changed.before.state.rawValue) to \(changed.after.state.rawValue)"
            return "\(changed.target) \(turn) at revision \(changed.revision)"
        }
        var metadata: Logger.Metadata = [
            "sequence": .stringConvertible(change.sequence), "kind": "\(change.kind.rawValue)", "actor": "\(change.actor.inWords)",
            "source": "\(change.source.rawValue)",
            "request": "\(change.requestId)", "targets": "\(named.joined(separator: "; "))",
        ]
        if change.targets.count > Self.mostTargets { metadata["more"] = .stringConvertible(change.targets.count - Self.mostTargets) }
        if let app = change.app { metadata["app"] = "\(app)" }
        log.info("change", metadata: metadata)
    }

    /// Logs a window that was made, edited or called off, or that the clock acted on.
    func tell(_ window: Window) {
        // One step may overtake a thousand windows, and the writer waits meanwhile; the step itself is logged.
        guard let event = window.events.last, event.what != .overtaken else { return }
        let named = window.targets.prefix(Self.mostTargets).map(\.key.description)
        var metadata: Logger.Metadata = [
            "window": .stringConvertible(window.id), "event": "\(event.what.rawValue)", "state": "\(window.state.rawValue)",
            "actor": "\(event.actor.inWords)", "targets": "\(named.joined(separator: "; "))", "start": "\(window.start.at)",
        ]
        if let end = window.end { metadata["end"] = "\(end.at)" }
        if window.targets.count > named.count { metadata["more"] = .stringConvertible(window.targets.count - named.count) }
        if let sequence = event.sequence { metadata["sequence"] = .stringConvertible(sequence) }
        // What a person wrote is in the history; what the clock found is logged here.
        if event.actor.kind == .system, let detail = event.detail { metadata["detail"] = "\(detail)" }
        [.missed, .failed].contains(event.what) ? log.warning("window", metadata: metadata) : log.info("window", metadata: metadata)
    }

    /// Milliseconds that the wall clock may gain on the monotonic one between two looks: NTP slews by less.
    private static let step: Int64 = 2_000

    /// To be called about once a second; logs when the machine's clock was put forward or back. Every time in history, windows and expiries
    /// comes from that clock.
    /// - Parameter elapsed: milliseconds of a clock that nobody sets.
    func look(at now: Timestamp, elapsed: Int64) {
        let ahead = now.milliseconds - elapsed
        let before = clock.withLock { clock in
            defer { clock = ahead }
            return clock
        }
        guard let before, abs(ahead - before) > Self.step else { return }
        let seconds = (ahead - before) / 1_000
        log.warning(
            "the machine's clock was put \(seconds > 0 ? "forward" : "back")",
            metadata: ["seconds": .stringConvertible(Int(seconds)), "now": "\(now)"]
        )
    }

    /// To be called about once a second; logs only what is new.
    func look(at present: Health) {
        let before = health.withLock { health in
            defer { health = present }
            return health
        }
        guard let before else { return }
        guard before.state != present.state || before.reasons != present.reasons else { return }
        let metadata: Logger.Metadata = [
            "state": "\(present.state.rawValue)", "before": "\(before.state.rawValue)",
            "reasons": "\(present.reasons.joined(separator: "; "))",
        ]
        present.state == .ok ? log.notice("health", metadata: metadata) : log.warning("health", metadata: metadata)
    }
}
