public import GateJSON

/// One of several servers of a database, as all of them know it.
public struct SharedServer: Sendable, Hashable {
    public var name: String
    /// By the database's clock.
    public var startedAt: Timestamp
    /// Of the last change that its feeds have; as of when it was heard of last.
    public var sequence: Int
    /// Whole seconds since it was heard of, which it is once a second while it runs and reaches the database.
    public var silentSeconds: Int

    public init(name: String, startedAt: Timestamp, sequence: Int, silentSeconds: Int) {
        self.name = name
        self.startedAt = startedAt
        self.sequence = sequence
        self.silentSeconds = silentSeconds
    }

    /// For so long a server may be silent before people should know of it.
    public static let patience = 10
}
