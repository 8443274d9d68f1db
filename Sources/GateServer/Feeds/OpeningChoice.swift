import GateHTTP
import GateJSON
import GateModel
import Synchronization

/// Chooses what one feed answers to each caller while targets are being opened gradually.
final class OpeningChoice: ResponseChoice {
    let path: String
    /// The gauge of each target that the feed tells about and that is being opened, with the target's bit in a set.
    let gauges: [(bit: UInt64, gauge: OpeningGauge)]
    /// The feed's place among the app's feeds.
    private let place: Int
    /// Whether it tells about several platforms.
    private let isWhole: Bool
    private let views: OpeningViews
    /// How often it was asked for, whatever was answered.
    var polls: PollCounters { views.polls[place] }
    /// Polls that told nothing, and how many of them the gauges were told about.
    private let count = Atomic<UInt64>(0)
    private let counted = Atomic<UInt64>(0)

    init(path: String, place: Int, isWhole: Bool, gauges: [(bit: UInt64, gauge: OpeningGauge)], views: OpeningViews) {
        self.path = path
        self.place = place
        self.isWhole = isWhole
        self.gauges = gauges
        self.views = views
    }

    func response(to query: UnsafeRawBufferPointer, from sender: () -> [UInt8], isPoll: Bool) -> PreparedResponse? {
        entry(for: query, from: sender, isPoll: isPoll).map { entry in
            query.isEmpty ? entry.response : entry.response.variants?.response(to: query, isPoll: isPoll) ?? entry.response
        }
    }

    /// The feed as it is for a caller.
    func entry(for query: UnsafeRawBufferPointer, from sender: () -> [UInt8], isPoll: Bool) -> FeedTable.Entry? {
        views.entry(place, letInTo: set(for: OpeningDraw(query: query, from: sender), isPoll: isPoll))
    }

    /// The targets that a caller is let in to.
    ///
    /// Callers that tell nothing are let in to the due share of answers, spread evenly: however many multiples of the golden ratio are
    /// taken, they lie evenly between each other (Knuth, The Art of Computer Programming, volume 3, section 6.4, theorem S).
    /// - Parameter draw: nil for a caller that tells nothing.
    func set(for draw: OpeningDraw?, isPoll: Bool) -> UInt64 {
        var set: UInt64 = 0
        if let draw {
            for (bit, gauge) in gauges where gauge.door.admits(draw) { set |= bit }
        } else {
            let number = isPoll ? count.add(1, ordering: .relaxed).newValue : count.load(ordering: .relaxed)
            let place = number &* 0x9e37_79b9_7f4a_7c15
            for (bit, gauge) in gauges where gauge.admits(place) { set |= bit }
        }
        // A document of one platform says nothing about the others.
        return isWhole || set == 0 ? set : views.everything
    }

    /// Tells the gauges how many polls came since the last call; to be called about once a second, by one thread.
    func move(to now: Timestamp) {
        let polls = count.load(ordering: .relaxed)
        let before = counted.exchange(polls, ordering: .relaxed)
        for (_, gauge) in gauges { gauge.note(polls: Int(polls - before), at: now) }
    }
}
