package import GateJSON
package import GateModel

/// Where rehearsals are served. Any thread.
package protocol RehearsalStage: Sendable {
    /// Serves an app's feeds under a secret, replacing any already there; earlier polls stay counted.
    ///
    /// They end before their time with the target that is rehearsed.
    func show(_ scene: RehearsalScene, of target: TargetKey, under secret: String, until end: Timestamp)

    /// Stops serving what is there.
    func strike(_ secret: String)

    /// How often phones polled, and the last polls, newest first.
    func polls(under secret: String) -> (count: Int, last: [RehearsalPoll])
}

/// What a rehearsal shows, from its beginning to its end.
package struct RehearsalScene: Sendable {
    package let app: PublishedApp
    /// When its kill switch lifts itself, and what is shown from then on; nil if it does not.
    package let lifted: (at: Timestamp, app: PublishedApp)?

    init(app: PublishedApp, lifted: (at: Timestamp, app: PublishedApp)?) { (self.app, self.lifted) = (app, lifted) }
}
