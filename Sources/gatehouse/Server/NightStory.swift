import GateModel
import GateService
import Logging
import Synchronization

/// What happens, as lines of the log: each change, and how the server's health turns. Who reads them in the morning knows the night.
final class NightStory: Sendable {
    private let log: Logger
    private let health = Mutex<Health?>(nil)

    /// Targets that a line names; a change may have a thousand.
    private static let mostTargets = 20

    init(_ log: Logger) { self.log = log }

    func tell(_ change: Change) {
        let named = change.targets.prefix(Self.mostTargets).map { changed in
            let turn = changed.before.state == changed.after.state ? changed.after.state.rawValue : "\(changed.before.state.rawValue) to \(changed.after.state.rawValue)"
            return "\(changed.target) \(turn) at revision \(changed.revision)"
        }
        var metadata: Logger.Metadata = [
            "sequence": "\(change.sequence)", "kind": "\(change.kind.rawValue)", "actor": "\(change.actor.inWords)", "source": "\(change.source.rawValue)",
            "request": "\(change.requestId)", "targets": "\(named.joined(separator: "; "))",
        ]
        if change.targets.count > Self.mostTargets { metadata["more"] = "\(change.targets.count - Self.mostTargets)" }
        if let app = change.app { metadata["app"] = "\(app)" }
        log.info("change", metadata: metadata)
    }

    /// To be called about once a second; says only what is new.
    func look(at present: Health) {
        let before = health.withLock { health in
            defer { health = present }
            return health
        }
        guard let before else { return }
        guard before.state != present.state || before.reasons != present.reasons else { return }
        let metadata: Logger.Metadata = ["state": "\(present.state.rawValue)", "before": "\(before.state.rawValue)", "reasons": "\(present.reasons.joined(separator: "; "))"]
        present.state == .ok ? log.notice("health", metadata: metadata) : log.warning("health", metadata: metadata)
    }
}
