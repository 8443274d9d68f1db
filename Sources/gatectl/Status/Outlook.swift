import GateAPI
import GateAdminClient
import GateModel

/// What will happen by itself: the windows that wait or run, and whether they will find the gates that they were made for.
struct Outlook: Sendable {
    private let byTarget: [TargetKey: [Window]]
    private let failing: Set<Int>

    /// Up to this many targets are asked for one by one; for more, all are asked for at once.
    private static let few = 10

    /// - Parameter targets: the known ones; nothing is predicted for others.
    init(_ windows: [Window], _ targets: [Target]) {
        let gates = Dictionary(targets.map { ($0.key, $0.gate) }) { $1 }
        failing = Set(windows.filter { Self.willFail($0, gates) }.map(\.id))
        var byTarget: [TargetKey: [Window]] = [:]
        for window in windows { for target in window.targets { byTarget[target.key, default: []].append(window) } }
        self.byTarget = byTarget
    }

    /// Asks for those targets of waiting windows that are not known yet.
    init(_ windows: [Window], knowing known: [TargetBody] = [], _ client: AdminClient) async throws {
        var targets = known.map(\.target)
        let wanted = Set(windows.filter { $0.state == .pending }.flatMap { $0.targets.map(\.key) })
        let missing = wanted.subtracting(targets.map(\.key))
        if missing.count > Self.few {
            targets = try await client.targets().map(\.target)
        } else {
            for key in missing.sorted() {
                // A target that was deleted meanwhile stays unknown.
                if let body = try await found({ try await client.target(key.app.text, key.platform.text) }) { targets.append(body.target) }
            }
        }
        self.init(windows, targets)
    }

    func windows(about target: TargetKey) -> [Window] { byTarget[target] ?? [] }

    /// Whether a window that waits will find its rules changed at its start.
    func willFail(_ window: Window) -> Bool { failing.contains(window.id) }

    /// A window starts only if all its rules are as they were when it was made, so one changed target is enough to fail. A kill switch that
    /// lifts itself before then counts as gone.
    private static func willFail(_ window: Window, _ gates: [TargetKey: Gate]) -> Bool {
        guard window.state == .pending else { return false }
        return window.targets.contains { mine in
            guard let gate = gates[mine.key] else { return false }
            var later = gate
            if let until = gate.killSwitch?.until, until <= window.start.at { later.killSwitch = nil }
            return ![gate, later].contains { gate in window.rules.allSatisfy { mine.expects(gate.json(of: $0), of: $0) } }
        }
    }
}
