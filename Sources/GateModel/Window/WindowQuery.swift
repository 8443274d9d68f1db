/// Which windows to list, newest first; nil means no restriction.
public struct WindowQuery: Sendable, Hashable {
    /// Windows with a target of this app.
    public var app: AppKey?
    public var states: [Window.State]?
    /// Identifiers smaller than this one.
    public var before: Int?
    /// The most windows to return.
    public var limit: Int

    public init(app: AppKey? = nil, states: [Window.State]? = nil, before: Int? = nil, limit: Int = 50) {
        self.app = app
        self.states = states
        self.before = before
        self.limit = limit
    }
}
