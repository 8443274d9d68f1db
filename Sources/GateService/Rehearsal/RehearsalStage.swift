package import GateJSON
package import GateModel

/// Where rehearsals are served. Any thread.
package protocol RehearsalStage: Sendable {
    /// Serves an app's feeds under a secret, in the place of what is there; what was asked before stays counted.
    func show(_ app: PublishedApp, under secret: String, until end: Timestamp)

    /// Nothing is there any more.
    func strike(_ secret: String)

    /// How often phones asked, and the last of them, the newest first.
    func polls(under secret: String) -> (count: Int, last: [RehearsalPoll])
}
