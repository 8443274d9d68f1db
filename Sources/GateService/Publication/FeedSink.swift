package import GateModel

/// Takes over rendered feeds: the table that answers the phones.
package protocol FeedSink: Sendable {
    /// Replaces the feeds of the named apps, all in one step: a poll sees the old or the new ones of all of them, never a mix.
    /// When this returns, no request sees an older state. Called by one thread at a time; must not fail and not call back.
    /// - Parameter apps: the new feeds of each app, nil for an app that is gone.
    func publish(_ apps: [(key: AppKey, app: PublishedApp?)])
}
