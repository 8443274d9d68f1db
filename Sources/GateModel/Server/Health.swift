/// Whether a server does all that it is for, in words that a person on call can act on.
public struct Health: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable {
        case ok, degraded, starting
    }

    public var state: State
    /// One short sentence for each thing that is wrong; empty when all is well.
    public var reasons: [String]
    /// One sentence for each thing that somebody should look after; the server is well all the same.
    public var notices: [String]

    public init(state: State, reasons: [String] = [], notices: [String] = []) {
        self.state = state
        self.reasons = reasons
        self.notices = notices
    }
}
