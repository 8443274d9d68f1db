package import GateAPI
import GateHTTP
package import GateJSON
package import GateModel
package import GateService
import Synchronization

/// Reads the feeds' counters once a second and keeps the polls of the last minute. The request path only counts; every clock and every lock
/// is here.
///
/// Where several servers share a database, its figures are for all of them: what this one counted, and what the others have told
/// (``OtherPolls``).
package final class ReachTracker: Sendable {
    private let table: FeedTable
    private let state = Mutex<[String: Track]>([:])
    /// What other servers of the database counted.
    package let others = OtherPolls()

    /// Which versions poll this server.
    var versions: VersionTally { table.bench.versions }

    /// How many seconds "polls per minute" and the share look back.
    static let window = 60

    /// One feed's recent past.
    struct Track: Sendable {
        /// Distinguishes one revision's answer from the next.
        var tag: String
        /// The answer whose counters were read last; nil before the first reading.
        var response: PreparedResponse?
        /// Its counters at that reading.
        var last = PollCounts()
        /// What other answers counted for these bytes: before the last start of the server, or before the bytes were replaced and came
        /// back.
        var carried = PollCounts()
        /// The polls of each of the last seconds, newest last.
        var seconds: [PollCounts] = []
        var lastStale: Timestamp?
        /// When a poll was last counted, whatever it got.
        var lastPolled: Timestamp?

        var recent: PollCounts { seconds.reduce(PollCounts(), +) }

        /// The polls of this revision since it was published.
        var whole: PollCounts { last + carried }

        /// What other servers should know about it.
        var told: ToldTrack { ToldTrack(tag: tag, whole: whole, minute: recent, lastStale: lastStale, lastPolled: lastPolled) }

        /// The track of the revision that came after this one. The minute continues across a change, because how many poll does not depend
        /// on what they get; but callers that had the old revision do not have the new one, so only the number of those polls stays.
        func followed(by tag: String) -> Track {
            Track(tag: tag, seconds: seconds.map { PollCounts(fetched: $0.total) }, lastPolled: lastPolled)
        }
    }

    package init(table: FeedTable) {
        self.table = table
    }

    /// Reads every counter; to be called about once a second, by one thread.
    ///
    /// There may be tens of thousands of feeds, of which few are polled: a feed that nobody polls costs three loads, and no look at its
    /// path.
    package func sample(at now: Timestamp) {
        versions.sample(at: now)
        table.moveOpenings(to: now)
        let polled = table.polledEntries()
        state.withLock { tracks in
            var left = Set(tracks.keys)
            for (path, response) in polled {
                left.remove(path)
                Self.note(response, in: &tracks[path, default: Track(tag: response.etag)], at: now)
            }
            // Feeds that were polled before, but not since the last change, or that no longer exist.
            for path in left {
                if let response = table.response(at: path) { Self.note(response, in: &tracks[path]!, at: now) } else { tracks[path] = nil }
            }
        }
    }

    private static func note(_ response: PreparedResponse, in track: inout Track, at now: Timestamp) {
        let counts = response.polls.counts
        if track.tag != response.etag {
            track = track.followed(by: response.etag)
        } else if let known = track.response, known !== response {
            // Changed and changed back within a second: the same bytes, with counters that began at zero again.
            track.carried = track.carried + track.last
            track.last = PollCounts()
        }
        track.response = response
        let fresh = counts.since(track.last)
        track.last = counts
        if fresh.replaced > 0 { track.lastStale = now }
        if fresh.total > 0 { track.lastPolled = now }
        track.seconds.append(fresh)
        if track.seconds.count > window { track.seconds.removeFirst(track.seconds.count - window) }
    }

    /// How far a target's feeds have reached the phones, taken together; nil before the first poll.
    package func reach(of target: TargetKey, at now: Timestamp) -> ReachBody? {
        let paths = FeedName.allCases.map { $0.path(for: target) }
        let own = state.withLock { tracks in paths.map { tracks[$0] } }
        let tracks = zip(paths, own).flatMap { path, track -> [ToldTrack] in
            guard let present = table.response(at: path) else { return [] }
            // After a change since the last reading, or one that another server does not have yet, earlier counts say nothing about the new
            // revision.
            return ((track.map { [$0.told] } ?? []) + others.tracks(of: path, at: now)).map { $0.followed(by: present.etag) }
        }
        guard !tracks.isEmpty else { return nil }
        let recent = tracks.map(\.minute).reduce(PollCounts(), +)
        let whole = tracks.map(\.whole).reduce(PollCounts(), +)
        let telling = recent.confirmed + recent.replaced
        let lastStale = tracks.compactMap(\.lastStale).max()
        return ReachBody(
            pollsPerMinute: Int(recent.total),
            share: telling == 0 ? nil : Double(recent.confirmed) / Double(telling),
            secondsSinceStale: lastStale.map { Int(max(0, now.milliseconds - $0.milliseconds) / 1_000) },
            confirmed: Int(whole.confirmed),
            replaced: Int(whole.replaced),
            fetched: Int(whole.fetched),
            feeds: FeedName.allCases.filter(polledFeeds(of: target, at: now).contains)
        )
    }

    /// How often each document of a target was polled within the last minute; documents that nobody polled are left out.
    package func pollsPerMinute(of target: TargetKey, at now: Timestamp) -> [FeedName: Int] {
        let own = state.withLock { tracks in FeedName.allCases.map { tracks[$0.path(for: target)] } }
        var polls: [FeedName: Int] = [:]
        for (feed, track) in zip(FeedName.allCases, own) {
            let recent = others.tracks(of: feed.path(for: target), at: now).reduce(track?.recent ?? PollCounts()) { $0 + $1.minute }
            if recent.total > 0 { polls[feed] = Int(recent.total) }
        }
        return polls
    }

    /// The documents of a target that somebody polled within the last day.
    package func polledFeeds(of target: TargetKey, at now: Timestamp) -> Set<FeedName> {
        let since = now.advanced(bySeconds: -Self.day)
        let own = state.withLock { tracks in FeedName.allCases.map { tracks[$0.path(for: target)]?.lastPolled } }
        return Set(
            zip(FeedName.allCases, own).filter { feed, polled in
                let times = [polled] + others.tracks(of: feed.path(for: target), at: now).map(\.lastPolled)
                return times.contains { $0.map { $0 > since } ?? false }
            }.map(\.0)
        )
    }

    /// The versions of a target that polls have named, the most polled first; those that were not told apart come last.
    package func polledVersions(of target: TargetKey, within span: PolledVersions.Span, at now: Timestamp) -> PolledVersions {
        let own = versions.versions(of: target, within: span, at: now)
        let told = others.versions(of: target, within: span, at: now)
        guard !told.isEmpty else { return own }
        var polls = Dictionary(own.versions.map { ($0.text, $0.polls) }, uniquingKeysWith: { $1 })
        for (version, number) in told.lazy.flatMap(\.named) { polls[version, default: 0] += number[span] }
        let sorted = polls.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        // No more are told apart than one server does, because making a plan reads each of them.
        let named = sorted.prefix(VersionTally.mostPerTarget)
        return PolledVersions(
            versions: named.map { PolledVersions.Version(text: $0.key, polls: $0.value) },
            others: told.reduce(own.others) { $0 + $1.others[span] } + sorted.dropFirst(named.count).reduce(0) { $0 + $1.value }
        )
    }

    /// For how many seconds after a poll a document counts as polled.
    static let day: Int64 = 86_400

    // MARK: For other servers

    /// What this server counted, for the others of its database. To be asked for on a thread that has time for it.
    package func told(at now: Timestamp) -> [UInt8] {
        // The lock is held for one reference; the walk is outside.
        let tracks = state.withLock { $0 }
        let feeds = tracks.mapValues(\.told).filter { !$0.value.isIdle(at: now) }
        return PollDocument(feeds: feeds, versions: versions.told(at: now)).bytes()
    }

    // MARK: Over a restart

    /// What to keep across a restart: the counts of each feed's present revision. Rough on purpose; the last minute is not kept.
    package var document: JSONValue {
        let tracks = state.withLock { $0 }
        let members = tracks.sorted(by: { $0.key < $1.key }).map { path, track -> (name: String, value: JSONValue) in
            let counts = track.whole
            return (
                path,
                [
                    "tag": .string(track.tag), "confirmed": .integer(counts.confirmed), "replaced": .integer(counts.replaced),
                    "fetched": .integer(counts.fetched),
                    "lastStale": track.lastStale.map { .string($0.description) } ?? .null,
                    "lastPolled": track.lastPolled.map { .string($0.description) } ?? .null,
                ]
            )
        }
        // Looking each name up would take time quadratic in their number.
        return .object(JSONObject(uniqueMembers: members))
    }

    /// A larger count cannot be ours: it would take a thousand years, and sums of it could overflow.
    static let greatestCount = 1 << 50

    /// Continues from a kept ``document``. A feed that has another revision by now starts over except for when it was polled, and so does
    /// one whose entry is not in the form that was written.
    package func restore(_ document: JSONValue) {
        let tags = Dictionary(table.canonicalEntries().map { ($0.path, $0.response.etag) }, uniquingKeysWith: { $1 })
        state.withLock { tracks in
            for (path, value) in document.object?.members ?? [] {
                guard let object = value.object, let tag = object["tag"]?.string, let present = tags[path] else { continue }
                let lastPolled = object["lastPolled"]?.string.flatMap { Timestamp($0) }
                guard tag == present else {
                    tracks[path] = lastPolled.map { Track(tag: present, lastPolled: $0) }
                    continue
                }
                let counts = ["confirmed", "replaced", "fetched"].compactMap { object[$0]?.integer }.filter { 0...Self.greatestCount ~= $0 }
                    .map(UInt64.init)
                guard counts.count == 3 else { continue }
                var track = Track(tag: tag)
                track.carried = PollCounts(confirmed: counts[0], replaced: counts[1], fetched: counts[2])
                track.lastStale = object["lastStale"]?.string.flatMap { Timestamp($0) }
                track.lastPolled = lastPolled
                tracks[path] = track
            }
        }
    }
}
