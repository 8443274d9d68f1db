/// How much polling a kill switch causes: how often the phones that it shuts out will poll. An estimate from the polls of this server and
/// of those that share its database.
public struct PollLoad: Sendable, Hashable {
    /// Phones that polled within the last minute and will poll again by themselves. Each poll counts as one phone, so there are at most
    /// this many; phones answered by a cache in front are not counted.
    public let phones: Int
    /// The polls of all of them together while they show the block; at least 1.
    public let pollsPerSecond: Int
    /// The same with a longer interval; nil if no longer interval would help.
    public let slower: Slower?

    /// The load with another interval.
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

    /// Longer intervals that may be suggested, in seconds.
    static let slowerIntervals = [60, 300, 3600]

    /// - Parameter herds: the herd of each target, with the seconds after which its phones poll again.
    /// - Returns: nil if no phones are known to poll by themselves.
    public init?(_ herds: [(herd: Herd, interval: Int)]) {
        let asking = herds.filter { $0.herd.phones > 0 }
        guard let shortest = asking.map(\.interval).min() else { return nil }
        func polls(atLeastEvery seconds: Int) -> Int {
            // A suggested interval never shortens one that is already longer.
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
