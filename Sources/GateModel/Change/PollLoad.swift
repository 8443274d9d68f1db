/// What a kill switch makes of the polls: how often phones will ask that it shuts out. An estimate, of what polled this
/// server and those that it shares a database with.
public struct PollLoad: Sendable, Hashable {
    /// Phones that asked within the last minute and will ask again by themselves. Each poll counts as a phone, so there are at most that many;
    /// those that caches in front answered are not among them.
    public let phones: Int
    /// What all of them make together as long as they look at the block; 1 for less.
    public let pollsPerSecond: Int
    /// The same with a longer interval; nil where there is none worth telling.
    public let slower: Slower?

    /// What another interval would make of it.
    public struct Slower: Sendable, Hashable {
        /// Seconds.
        public let retryInterval: Int
        public let pollsPerSecond: Int

        public init(retryInterval: Int, pollsPerSecond: Int) {
            self.retryInterval = retryInterval
            self.pollsPerSecond = pollsPerSecond
        }
    }

    public init(phones: Int, pollsPerSecond: Int, slower: Slower?) {
        self.phones = phones
        self.pollsPerSecond = pollsPerSecond
        self.slower = slower
    }

    /// Intervals that are told beside a shorter one, in seconds.
    static let slowerIntervals = [60, 300, 3600]

    /// - Parameter herds: those of each target, with the seconds after which they ask again.
    /// - Returns: nil where nobody is known to ask by themselves.
    public init?(_ herds: [(herd: Herd, interval: Int)]) {
        let asking = herds.filter { $0.herd.phones > 0 }
        guard let shortest = asking.map(\.interval).min() else { return nil }
        func polls(atLeastEvery seconds: Int) -> Int {
            // Of a longer interval nothing is taken away by advice about a shorter one.
            let rate = asking.reduce(0) { $0 + $1.herd.pollsPerSecond(every: max($1.interval, seconds)) }
            return max(1, Int(rate.rounded()))
        }
        phones = max(1, Int(asking.reduce(0) { $0 + $1.herd.phones }.rounded()))
        let now = polls(atLeastEvery: 0)
        pollsPerSecond = now
        slower = Self.slowerIntervals.first { $0 > shortest }.flatMap { interval in
            let fewer = polls(atLeastEvery: interval)
            return fewer < now ? Slower(retryInterval: interval, pollsPerSecond: fewer) : nil
        }
    }
}
