import GateModel

/// The order in which rules are considered. All but the first are for apps that must behave as they did with another library.
public enum GateOrdering: String, Sendable, Hashable, CaseIterable {
    /// Kill switch, forced update, required update, blocking alert, optional update, alert; only what applies counts.
    case gatehouse
    /// A required or optional update that is present hides everything behind it, whether it applies or not.
    case launchGate
    /// Any alert takes precedence over an optional update.
    case gandalf
    /// An optional update takes precedence over any alert.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case gandalfUpTo1_3_1
    /// A forced update takes precedence over a kill switch.
    case bellerophon

    var model: Precedence {
        switch self {
        case .gatehouse: .gatehouse
        case .launchGate: .launchGate
        case .gandalf: .gandalf
        case .gandalfUpTo1_3_1: .gandalfUpTo1_3_1
        case .bellerophon: .bellerophon
        }
    }
}
