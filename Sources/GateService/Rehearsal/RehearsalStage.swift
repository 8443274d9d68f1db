package import GateJSON
package import GateModel

/// Where rehearsals are served. Any thread.
package protocol RehearsalStage: Sendable {
    /// Serves an app's feeds under a secret, replacing any already there; earlier polls stay counted.
    func show(_ app: PublishedApp, under secret: String, until end: Timestamp)

    /// Stops serving what is there.
    func strike(_ secret: String)

    /// How often phones polled, and the last polls, newest first.
    func polls(under secret: String) -> (count: Int, last: [RehearsalPoll])
}
