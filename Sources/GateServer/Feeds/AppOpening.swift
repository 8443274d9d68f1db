import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService

/// One published state of an app that has targets being opened gradually.
struct AppOpening: Sendable {
    private let views: OpeningViews
    /// The choice of each feed that shows a kill switch of these targets, by the feed's place among the app's feeds.
    let choices: [Int: OpeningChoice]

    /// How many draws an app has. Openings with different starts mostly draw their callers independently; some share a draw, so that
    /// callers are not let in to too many different sets of targets.
    private static let draws: UInt64 = 4

    /// - Parameter former: the same app's previous one; openings of it that go on are continued, not restarted.
    /// - Returns: nil for an app with no target being opened.
    init?(_ published: PublishedApp, with signing: FeedSigning, on bench: VariantBench, following former: AppOpening?, at now: Timestamp) {
        guard let app = published.source else { return nil }
        let openings = app.platformKeys.compactMap { key in
            app.platforms[key].flatMap { target in target.gate.opening.map { (key: target.key, opening: $0) } }
        }
        guard !openings.isEmpty else { return nil }
        let doors = openings.map { key, opening in OpeningDoor(key, opening, seed: Self.seed(of: opening, in: key.app), at: now) }
        let views = OpeningViews(app, doors: doors, polls: published.feeds.map { _ in PollCounters() }, with: signing, on: bench)
        var choices: [Int: OpeningChoice] = [:]
        for (place, feed) in published.feeds.enumerated() {
            let known = former?.choices.values.first { $0.path == feed.path }
            let isWhole = feed.platform == nil || feed.name == .combined
            // Prince of Versions has no kill switch.
            let own = feed.name == .princeOfVersions ? [] : doors.indices.filter { isWhole || doors[$0].target.platform == feed.platform }
            guard !own.isEmpty else { continue }
            choices[place] = OpeningChoice(
                path: feed.path,
                place: place,
                isWhole: isWhole,
                gauges: own.map { bit in
                    let door = doors[bit]
                    let present = known?.gauges.first { $0.gauge.door.target == door.target && $0.gauge.door.opening == door.opening }
                    return (1 << UInt64(bit), present?.gauge.following(door) ?? OpeningGauge(door, at: now))
                },
                views: views
            )
        }
        self.views = views
        self.choices = choices
    }

    /// The seed of an opening's draw. It depends on nothing else of the app: were the end of another opening to change it, phones that are
    /// in would be shut out again.
    private static func seed(of opening: Opening, in app: AppKey) -> UInt64 {
        let draw = StableHash.mixed(UInt64(bitPattern: opening.start.milliseconds)) % draws
        var hash = StableHash()
        hash.add("\(app) \(draw)".utf8)
        return hash.value
    }

    /// An app's feeds, with those that are chosen for each request in place of those that everybody gets.
    func chosen(_ entries: [FeedTable.Entry], with signing: FeedSigning) -> [FeedTable.Entry] {
        entries.enumerated().map { place, entry in
            choices[place].map { FeedTable.Entry(blocked: entry, choice: $0, tag: entry.tag, with: signing) } ?? entry
        }
    }

    /// Moves all shares to where they belong; to be called about once a second.
    func move(to now: Timestamp) {
        for door in views.doors { door.move(to: now) }
        for choice in choices.values { choice.move(to: now) }
    }

    /// The app as it is for a caller who asks for a target's flags and is let in.
    /// - Parameter draw: nil for a caller that tells nothing, which counts as a poll of the native feed.
    /// - Returns: nil for a caller who is not let in, and for a target that is not being opened.
    func source(for draw: OpeningDraw?, of target: TargetKey) -> TargetedSource? {
        let path = FeedName.gate.path(for: target)
        guard let choice = choices.values.first(where: { $0.path == path }), choice.set(for: draw, isPoll: true) != 0 else { return nil }
        return views.openSource
    }
}
