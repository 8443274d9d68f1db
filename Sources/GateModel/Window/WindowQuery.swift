/// Which windows to list; nil asks for nothing. Newest first.
public struct WindowQuery: Sendable, Hashable {
    /// Windows of any of this app's targets.
    public var app: AppKey?
    public var states: [Window.State]?
    /// Identifiers smaller than this one.
    public var before: Int?
    /// Windows to return at most.
    public var limit: Int

    public init(app: AppKey? = nil, states: [Window.State]? = nil, before: Int? = nil, limit: Int = 50) {
        self.app = app
        self.states = states
        self.before = before
        self.limit = limit
    }
}
