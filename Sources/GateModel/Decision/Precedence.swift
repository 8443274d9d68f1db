/// The order in which the rules of a gate are considered, and whether a rule that does not apply hides those behind it.
public enum Precedence: String, Sendable, Hashable, CaseIterable {
    /// What a gate means, and what Gatehouse's own client does: the worst rule that applies.
    case gatehouse
    /// LaunchGate: an update rule that is present ends the check, whether it applies or not, and takes precedence over every alert (wire
    /// formats 1.3).
    case launchGate
    /// Gandalf from 1.3.2: any alert takes precedence over an optional update (2.4).
    case gandalf
    /// Gandalf up to 1.3.1: an optional update takes precedence over any alert.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case gandalfUpTo1_3_1
    /// Bellerophon: a forced update takes precedence over a kill switch (3.3).
    case bellerophon

    /// A rule's place in the order; an alert has two, depending on whether it blocks.
    enum Step {
        case rule(Rule)
        case blockingAlert
        case alert

        /// The rule, if the gate has it in this place.
        func rule(of gate: Gate) -> Rule? {
            switch self {
            case .rule(let rule): gate.isOn(rule) ? rule : nil
            case .blockingAlert: gate.alert?.blocking == true ? .alert : nil
            case .alert: gate.alert?.blocking == false ? .alert : nil
            }
        }
    }

    var steps: [Step] {
        switch self {
        case .gatehouse: Self.worstFirst
        case .launchGate, .gandalfUpTo1_3_1: Self.alertsLast
        case .gandalf: Self.alertsBeforeOffers
        case .bellerophon: Self.forceFirst
        }
    }

    /// Whether a rule about versions hides what is behind it even if it does not apply.
    var masksByPresence: Bool { self == .launchGate }

    private static let worstFirst: [Step] = [
        .rule(.killSwitch), .rule(.forceUpdate), .rule(.requiredUpdate), .blockingAlert, .rule(.optionalUpdate), .alert,
    ]
    private static let alertsLast: [Step] = [
        .rule(.killSwitch), .rule(.forceUpdate), .rule(.requiredUpdate), .rule(.optionalUpdate), .blockingAlert, .alert,
    ]
    private static let alertsBeforeOffers: [Step] = [
        .rule(.killSwitch), .rule(.forceUpdate), .rule(.requiredUpdate), .blockingAlert, .alert, .rule(.optionalUpdate),
    ]
    private static let forceFirst: [Step] = [
        .rule(.forceUpdate), .rule(.killSwitch), .rule(.requiredUpdate), .blockingAlert, .rule(.optionalUpdate), .alert,
    ]
}
