/// Everything in force on a target. A rule that is off is absent.
public struct Gate: Sendable, Hashable {
    public var killSwitch: KillSwitch?
    public var forceUpdate: ForceUpdate?
    public var requiredUpdate: RequiredUpdate?
    public var optionalUpdate: OptionalUpdate?
    public var alert: Alert?

    public init(
        killSwitch: KillSwitch? = nil,
        forceUpdate: ForceUpdate? = nil,
        requiredUpdate: RequiredUpdate? = nil,
        optionalUpdate: OptionalUpdate? = nil,
        alert: Alert? = nil
    ) {
        self.killSwitch = killSwitch
        self.forceUpdate = forceUpdate
        self.requiredUpdate = requiredUpdate
        self.optionalUpdate = optionalUpdate
        self.alert = alert
    }

    /// No rule in force.
    public static let open = Gate()

    public func isOn(_ rule: Rule) -> Bool {
        switch rule {
        case .killSwitch: killSwitch != nil
        case .forceUpdate: forceUpdate != nil
        case .requiredUpdate: requiredUpdate != nil
        case .optionalUpdate: optionalUpdate != nil
        case .alert: alert != nil
        }
    }

    /// The alert, if it is one that nobody can get past.
    public var blockingAlert: Alert? { alert?.blocking == true ? alert : nil }

    /// The worst that the target's users see.
    public var state: GateState {
        if killSwitch != nil || forceUpdate != nil || blockingAlert != nil { return .blocked }
        if requiredUpdate != nil { return .updateRequired }
        if optionalUpdate != nil || alert != nil { return .notice }
        return .open
    }
}

/// What a target's users see, worst first.
public enum GateState: String, Sendable, Hashable, CaseIterable {
    case blocked, updateRequired, notice, open
}
