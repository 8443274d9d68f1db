package import GateModel

/// Receives rendered feeds: the table that answers the phones.
package protocol FeedSink: Sendable {
    /// Replaces the feeds of the named apps, all in one step: a poll sees either the old or the new ones of all of them, never a mix.
    /// When this returns, no request sees an older state. Called by one thread at a time; must not fail and not call back.
    /// - Parameter apps: the new feeds of each app, nil for an app that is gone.
    func publish(_ apps: [(key: AppKey, app: PublishedApp?)])

    /// The same in two parts, so that the slow part keeps nobody waiting. Any thread; nothing is published until ``ReadyFeeds/publish`` is
    /// called, which follows the rules of ``publish(_:)``.
    func ready(_ apps: [(key: AppKey, app: PublishedApp?)]) -> ReadyFeeds

    /// Sets which addresses without a feed may have one that cannot be read; ``FeedGaps/none`` until this is called.
    func set(_ gaps: FeedGaps)
}

/// Feeds that are ready to be published, once.
package struct ReadyFeeds: Sendable {
    package let publish: @Sendable () -> Void

    package init(publish: @escaping @Sendable () -> Void) { self.publish = publish }
}

extension FeedSink {
    package func ready(_ apps: [(key: AppKey, app: PublishedApp?)]) -> ReadyFeeds { ReadyFeeds { publish(apps) } }
}
