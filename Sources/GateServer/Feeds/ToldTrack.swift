import GateHTTP
import GateJSON

/// What one server counted of a feed, as it tells the others.
struct ToldTrack: Sendable, Hashable {
    /// Of the revision that it answered with.
    var tag: String
    /// Since that revision was published.
    var whole = PollCounts()
    /// Within the last minute.
    var minute = PollCounts()
    /// When a poll carried an older revision last, and when there was one last.
    var lastStale: Timestamp?
    var lastPolled: Timestamp?

    /// What it says of a feed with another revision: how many poll, and when, but not who has it.
    func followed(by tag: String) -> ToldTrack {
        self.tag == tag ? self : ToldTrack(tag: tag, minute: PollCounts(fetched: minute.total), lastPolled: lastPolled)
    }

    /// Of a server that is silent: who polls there now is not known.
    var silent: ToldTrack {
        var track = self
        track.minute = PollCounts()
        return track
    }

    /// Whether nobody polled, or so long ago that it says nothing.
    func isIdle(at now: Timestamp) -> Bool {
        whole.total == 0 && minute.total == 0 && lastPolled.map { $0 <= now.advanced(bySeconds: -ReachTracker.day) } ?? true
    }
}
