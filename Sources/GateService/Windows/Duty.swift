import GateJSON
import GateModel

/// One thing that the clock has to do.
enum Duty: Hashable, CustomStringConvertible {
    /// A kill switch whose time is over.
    case lift(TargetKey)
    /// A window's next step.
    case window(Int)

    var description: String {
        switch self {
        case .lift(let target): "lifting the kill switch of \(target)"
        case .window(let id): "window \(id)"
        }
    }

    /// The duty that comes due first, and when.
    /// - Parameter failed: duties to skip.
    static func next(_ catalog: Catalog, _ schedule: Schedule, except failed: Set<Duty>) -> (moment: Timestamp, duty: Duty)? {
        var next: (moment: Timestamp, duty: Duty)?
        for app in catalog.apps.values {
            for target in app.platforms.values {
                guard let until = target.gate.killSwitch?.until, !failed.contains(.lift(target.key)) else { continue }
                if let found = next, (found.moment, found.duty.description) <= (until, Duty.lift(target.key).description) { continue }
                next = (until, .lift(target.key))
            }
        }
        // A kill switch that lifts itself when a window starts is lifted first, so that the window finds what it left.
        let window = schedule.windows.first { !failed.contains(.window($0.id)) }
        guard let window, let due = window.due, next.map({ due < $0.moment }) ?? true else { return next }
        return (due, .window(window.id))
    }
}

extension Command {
    /// Removes a target's kill switch.
    static func lifting(_ target: Target) -> Command {
        .gates(
            [
                TargetCommand(
                    target: target.key,
                    revision: target.revision,
                    action: .restore(.clearing(.killSwitch)),
                    pointer: "/targets/0",
                    editPointer: "/set"
                )
            ],
            kind: .set
        )
    }
}

extension Chore {
    /// Each duty is a chore of its own, so that it fails and recovers independently.
    static func duty(_ duty: Duty) -> Chore { Chore("Doing what was due", by: scheduleName, to: "\(duty)") }
}
