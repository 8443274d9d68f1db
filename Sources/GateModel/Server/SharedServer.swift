public import GateJSON

/// One of several servers that share a database, as all of them know it.
public struct SharedServer: Sendable, Hashable {
    public var name: String
    /// By the database's clock.
    public var startedAt: Timestamp
    /// The last change that its feeds contain, as of the last time it was heard of.
    public var sequence: Int
    /// Whole seconds since it was last heard of; while it runs and reaches the database, that is once a second.
    public var silentSeconds: Int

    public init(name: String, startedAt: Timestamp, sequence: Int, silentSeconds: Int) {
        self.name = name
        self.startedAt = startedAt
        self.sequence = sequence
        self.silentSeconds = silentSeconds
    }

    /// How many seconds a server may be silent before people should know about it.
    public static let patience = 10
}
