import GateHTTP
import GateJSON

/// What one server counted for a feed, as it tells the others.
struct ToldTrack: Sendable, Hashable {
    /// The entity tag of the revision that it answered with.
    var tag: String
    /// The polls since that revision was published.
    var whole = PollCounts()
    /// The polls of the last minute.
    var minute = PollCounts()
    /// When a poll last carried an older revision, and when there was any poll last.
    var lastStale: Timestamp?
    var lastPolled: Timestamp?

    /// What it says about the feed with another revision: how many poll, and when, but not who has it.
    func followed(by tag: String) -> ToldTrack {
        self.tag == tag ? self : ToldTrack(tag: tag, minute: PollCounts(fetched: minute.total), lastPolled: lastPolled)
    }

    /// The same from a server that is silent: who polls there now is not known.
    var silent: ToldTrack {
        var track = self
        track.minute = PollCounts()
        return track
    }

    /// Whether nobody polled, or only so long ago that it means nothing.
    func isIdle(at now: Timestamp) -> Bool {
        whole.total == 0 && minute.total == 0 && lastPolled.map { $0 <= now.advanced(bySeconds: -ReachTracker.day) } ?? true
    }
}
