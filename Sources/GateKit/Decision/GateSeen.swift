import GateModel

/// What a person has put away. A value: keeping it is ``GateMonitor``'s.
public struct GateSeen: Sendable, Hashable {
    /// Put away for good: once per version, or once per text.
    var acknowledged = Acknowledgements.none
    /// Put off for now: until the app comes to the foreground again.
    var postponed = Acknowledgements.none

    public init() {}

    /// - Parameters:
    ///   - optionalVersions: of optional updates that were put away.
    ///   - alerts: texts of alerts that were put away.
    public init(optionalVersions: [String], alerts: [String]) {
        acknowledged = Acknowledgements(optionalVersions: optionalVersions, alerts: alerts)
    }

    /// How much is remembered.
    public enum Extent: String, Sendable, Hashable, CaseIterable {
        /// The last version and the last text, as LaunchGate, Gandalf and Prince of Versions on Android do: what comes back is shown again.
        case last
        /// All that was ever seen, as Prince of Versions on Apple's platforms does; the oldest of more than ``GateSeen/most`` are forgotten.
        case all
    }

    /// Versions, and texts, that are remembered at most.
    public static let most = 200

    /// Remembers that the person has put away what was decided. What shuts a phone out is never remembered.
    public mutating func acknowledge(_ decision: GateDecision, extent: Extent = .last) {
        Self.add(decision.remembered, to: &acknowledged, most: extent == .last ? 1 : Self.most)
    }

    /// Puts off what was decided, until ``comeBack()``.
    mutating func postpone(_ decision: GateDecision) { Self.add(decision.remembered, to: &postponed, most: Self.most) }

    mutating func comeBack() { postponed = .none }

    private static func add(_ remembered: GateDecision.Remembered?, to list: inout Acknowledgements, most: Int) {
        switch remembered {
        case .optionalVersion(let version):
            list.optionalVersions = Array((list.optionalVersions.filter { $0 != version } + [version]).suffix(most))
        case .alert(let text): list.alerts = Array((list.alerts.filter { $0 != text } + [text]).suffix(most))
        case nil: break
        }
    }
}
