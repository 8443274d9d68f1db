import GateModel

extension Words {
    /// `■ BLOCKED`, in the words of the state that the person with the phone is in.
    static func badge(_ outcome: PhoneView.Outcome) -> String {
        switch outcome {
        case .blocked, .updateRequired, .notice, .open: badge(state(outcome))
        case .updateOffered: "\(symbol(.notice)) UPDATE OFFERED"
        case .failed: "\(symbol(.open)) FEED NOT USED"
        case .broken: "\(symbol(.blocked)) BROKEN"
        }
    }

    static func tint(_ outcome: PhoneView.Outcome) -> Style.Tint { tint(state(outcome)) }

    private static func state(_ outcome: PhoneView.Outcome) -> GateState {
        switch outcome {
        case .open, .failed: .open
        case .notice, .updateOffered: .notice
        case .updateRequired: .updateRequired
        case .blocked, .broken: .blocked
        }
    }
}
