import GateFeeds
import GateHTTP
import GateModel
import GateService
import Synchronization

/// What an app with targets that are being opened gradually tells callers who are let in, and what it tells the others.
///
/// The targets that a caller is let in to are a set, with a bit for each. A document of the whole app is made for every set that some
/// caller has; a document of one platform has only two forms. Each is made once. Any thread.
final class OpeningViews: Sendable {
    /// In the order of the app's platforms.
    let doors: [OpeningDoor]

    private let app: App
    private let bench: VariantBench
    /// The counters of each feed.
    let polls: [PollCounters]
    private let views: Mutex<Views>

    private struct Views: Sendable {
        /// The key that signed them.
        var keyID: String?
        /// By set of targets: all of the app's feeds, in their order.
        var made: [UInt64: [FeedTable.Entry]] = [:]
    }

    /// How many sets' documents are kept. When that is full, all are dropped: who is let in to which targets changes slowly, so few sets
    /// are asked for at a time.
    private static let mostViews = 64

    init(_ app: App, doors: [OpeningDoor], polls: [PollCounters], with signing: FeedSigning, on bench: VariantBench) {
        self.app = app
        self.doors = doors
        self.polls = polls
        self.bench = bench
        views = Mutex(Views(keyID: signing.keyID))
        // What everybody gets at the start and at the end; these cost a signature each.
        for set in [0, everything] { _ = view(of: set, signing) }
    }

    /// The set of all targets that are being opened; an app has 32 at most.
    var everything: UInt64 { 1 << UInt64(doors.count) - 1 }

    /// What a feed answers to those who are let in to these targets.
    func entry(_ place: Int, letInTo set: UInt64) -> FeedTable.Entry? {
        let view = view(of: set, bench.signing.withLock { $0 })
        return view.indices.contains(place) ? view[place] : nil
    }

    /// The app as it is for those who are let in to all of these targets.
    var openSource: TargetedSource? { entry(0, letInTo: everything)?.variants?.current }

    private func view(of set: UInt64, _ signing: FeedSigning) -> [FeedTable.Entry] {
        let known = views.withLock { views -> [FeedTable.Entry]? in
            if views.keyID != signing.keyID { views = Views(keyID: signing.keyID) }
            return views.made[set]
        }
        if let known { return known }
        let made = made(for: set, with: signing)
        return views.withLock { views in
            guard views.keyID == signing.keyID else { return made }
            if let known = views.made[set] { return known }
            if views.made.count >= Self.mostViews { views.made = [:] }
            views.made[set] = made
            return made
        }
    }

    private func made(for set: UInt64, with signing: FeedSigning) -> [FeedTable.Entry] {
        var app = app
        for (bit, door) in doors.enumerated() where set & 1 << UInt64(bit) != 0 {
            let platform = door.target.platform
            if let gate = app.platforms[platform]?.gate { app.platforms[platform]?.gate = gate.opened }
        }
        // A published app has been rendered before, so it can be without some of its kill switches too; if not, there is nothing to answer.
        guard let published = try? PublishedApp(rendering: app) else { return [] }
        return FeedTable.Entry.ofLibraries(of: published, with: signing, on: bench, polls: polls, headers: HeaderSet.openingFeed)
    }
}
