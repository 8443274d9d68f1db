/// Whether a server does everything it should, in words on which a person on call can act.
public struct Health: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable {
        case ok, degraded, starting
    }

    public var state: State
    /// One short sentence for each thing that is wrong; empty if all is well.
    public var reasons: [String]
    /// One sentence for each thing that somebody should look after; the server counts as healthy all the same.
    public var notices: [String]

    public init(state: State, reasons: [String] = [], notices: [String] = []) {
        self.state = state
        self.reasons = reasons
        self.notices = notices
    }
}
