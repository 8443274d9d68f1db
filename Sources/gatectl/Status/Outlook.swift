import GateAPI
import GateAdminClient
import GateModel

/// What the clock will do: the windows that wait or run, and whether they will find the gates that they were made for.
struct Outlook: Sendable {
    private let byTarget: [TargetKey: [Window]]
    private let failing: Set<Int>

    /// So many targets are asked for one by one; more of them all at once.
    private static let few = 10

    /// - Parameter targets: those that are known; of others nothing is foretold.
    init(_ windows: [Window], _ targets: [Target]) {
        let gates = Dictionary(targets.map { ($0.key, $0.gate) }) { $1 }
        failing = Set(windows.filter { Self.willFail($0, gates) }.map(\.id))
        var byTarget: [TargetKey: [Window]] = [:]
        for window in windows { for target in window.targets { byTarget[target.key, default: []].append(window) } }
        self.byTarget = byTarget
    }

    /// Asks for the targets that windows are about and that are not at hand.
    init(_ windows: [Window], knowing known: [TargetBody] = [], _ client: AdminClient) async throws {
        var targets = known.map(\.target)
        let wanted = Set(windows.filter { $0.state == .pending }.flatMap { $0.targets.map(\.key) })
        let missing = wanted.subtracting(targets.map(\.key))
        if missing.count > Self.few {
            targets = try await client.targets().map(\.target)
        } else {
            for key in missing.sorted() {
                // One that was deleted meanwhile is not known.
                if let body = try await found({ try await client.target(key.app.text, key.platform.text) }) { targets.append(body.target) }
            }
        }
        self.init(windows, targets)
    }

    func windows(about target: TargetKey) -> [Window] { byTarget[target] ?? [] }

    /// Whether a window that waits will find its rules changed at its start.
    func willFail(_ window: Window) -> Bool { failing.contains(window.id) }

    /// A window takes all of its rules as it left them, or nothing at all, so that one target is enough; a kill switch that lifts itself
    /// before is as good as gone.
    private static func willFail(_ window: Window, _ gates: [TargetKey: Gate]) -> Bool {
        guard window.state == .pending else { return false }
        return window.targets.contains { mine in
            guard let gate = gates[mine.key] else { return false }
            var later = gate
            if let until = gate.killSwitch?.until, until <= window.start.at { later.killSwitch = nil }
            return ![gate, later].contains { GateEdit(window.rules, of: $0) == mine.expected }
        }
    }
}
