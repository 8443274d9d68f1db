import GateFeeds
import GateHTTP
import GateModel
import GateService
import Synchronization

/// What an app of which targets are being opened gradually tells those who are let in, and what the others.
///
/// Which targets a caller is let in to is a set, a bit for each. A document of the whole app is made for every set that somebody has; the documents
/// of one platform know two. Each is made once. Any thread.
final class OpeningViews: Sendable {
    /// In the order of the app's platforms.
    let doors: [OpeningDoor]

    private let app: App
    private let bench: VariantBench
    /// Of each feed.
    let polls: [PollCounters]
    private let views: Mutex<Views>

    private struct Views: Sendable {
        /// The key that signed them.
        var keyID: String?
        /// A feed for every place among the app's feeds.
        var made: [UInt64: [FeedTable.Entry]] = [:]
    }

    /// Sets whose documents are kept. What is full is emptied: who is let in to which of many targets changes slowly, so few are asked for at a time.
    private static let mostViews = 64

    init(_ app: App, doors: [OpeningDoor], polls: [PollCounters], with signing: FeedSigning, on bench: VariantBench) {
        self.app = app
        self.doors = doors
        self.polls = polls
        self.bench = bench
        views = Mutex(Views(keyID: signing.keyID))
        // Those that everybody gets at the start and at the end; they cost a signature each.
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
        // An app that is published was rendered, and what it is without some of its kill switches can be too; else there is nothing to answer.
        guard let published = try? PublishedApp(rendering: app) else { return [] }
        return FeedTable.Entry.all(of: published, with: signing, on: bench, polls: polls, headers: HeaderSet.openingFeed)
    }
}
