import GateAPI
import GateAdminClient
import GateModel

/// What the clock will do: the windows that wait or run, and the gates that they will find.
struct Outlook: Sendable {
    let windows: [Window]
    private let gates: [TargetKey: Gate]

    /// - Parameter targets: those that are known; of others nothing is foretold.
    init(_ windows: [Window], _ targets: [Target]) {
        self.windows = windows
        gates = Dictionary(targets.map { ($0.key, $0.gate) }) { $1 }
    }

    /// Asks for the targets that windows are about and that are not at hand.
    init(_ windows: [Window], knowing known: [TargetBody] = [], _ client: AdminClient) async throws(AdminClientError) {
        let keys = Set(known.map(\.target.key))
        let isWhole = windows.allSatisfy { window in window.state != .pending || window.targets.allSatisfy { keys.contains($0.key) } }
        let targets = isWhole ? known : try await client.targets()
        self.init(windows, targets.map(\.target))
    }

    /// Whether a window that waits will find its rules changed at its start. It takes all of them as it left them, or nothing at all, so that
    /// one target is enough; a kill switch that lifts itself before is as good as gone.
    func willFail(_ window: Window) -> Bool {
        guard window.state == .pending else { return false }
        return window.targets.contains { mine in
            guard let gate = gates[mine.key] else { return false }
            var later = gate
            if let until = gate.killSwitch?.until, until <= window.start.at { later.killSwitch = nil }
            return ![gate, later].contains { GateEdit(window.rules, of: $0) == mine.expected }
        }
    }
}
