import GateModel

/// What a person has dismissed. Only a value: ``GateMonitor`` stores it.
public struct GateSeen: Sendable, Hashable {
    /// Dismissed for good: once per version, or once per text.
    var acknowledged = Acknowledgements.none
    /// Put off for now: until the app comes to the foreground again.
    var postponed = Acknowledgements.none

    public init() {}

    /// - Parameters:
    ///   - optionalVersions: versions of optional updates that were dismissed.
    ///   - alerts: texts of alerts that were dismissed.
    public init(optionalVersions: [String], alerts: [String]) {
        acknowledged = Acknowledgements(optionalVersions: optionalVersions, alerts: alerts)
    }

    /// How much is remembered.
    public enum Extent: String, Sendable, Hashable, CaseIterable {
        /// Only the last version and the last text, as LaunchGate, Gandalf and Prince of Versions on Android do: something shown earlier
        /// can come back.
        case last
        /// Everything ever dismissed, as Prince of Versions on Apple's platforms does; beyond ``GateSeen/most``, the oldest are forgotten.
        case all
    }

    /// The most versions, and the most texts, that are remembered.
    public static let most = 200

    /// Records that the person dismissed what was decided. What shuts a phone out is never remembered.
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
