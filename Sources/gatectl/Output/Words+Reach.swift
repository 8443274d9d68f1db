import GateAPI
import GateModel

extension ReachBody {
    /// The share of the last minute's polls that carry the present revision, in whole per cent rounded down; nil without polls.
    ///
    /// It is based on the polls that say what their caller had. If none does, the polls answered since the change are compared with all
    /// polls of the minute.
    var carriedPercent: Int? {
        // Raised by a hair before rounding down, because 0.29 × 100 is 28.999… in binary.
        if let share { return Int(share * 100 + 1e-6) }
        guard pollsPerMinute > 0 else { return nil }
        return min(100, fetched * 100 / pollsPerMinute)
    }
}

extension Words {
    /// `shop/ios: 98% of the last seconds' polls had revision 42 already; 75 have fetched it`
    static func lately(_ percent: Int, _ reach: ReachBody?, of target: TargetKey, revision: Int) -> String {
        let fetched = reach.map { "; \($0.replaced + $0.fetched) have fetched it" } ?? ""
        return "\(target): \(percent)% of the last seconds' polls had revision \(revision) already\(fetched)"
    }

    /// `Up to 1200 phones that asked here in the last minute will ask again while they are blocked: about 80 polls a second`
    static func load(_ load: PollLoad) -> String {
        let phones = load.phones == 1 ? "1 phone" : "\(load.phones) phones"
        let polls = load.pollsPerSecond == 1 ? "1 poll" : "\(load.pollsPerSecond) polls"
        let slower = load.slower.map { "; with --retry \($0.retryInterval)s about \($0.pollsPerSecond)" } ?? ""
        return
            "Up to \(phones) that asked here in the last minute will ask again while they are blocked: about \(polls) a second\(slower). "
            + "What caches in front answer is not counted."
    }

    /// `shop/ios: 62% of the last minute's 120 polls carry revision 42; 75 have fetched it`
    static func reach(_ reach: ReachBody?, of target: TargetKey, revision: Int) -> String {
        guard let reach, let percent = reach.carriedPercent else {
            return "\(target): nobody has polled its feeds here within the last minute"
        }
        let polls = reach.pollsPerMinute == 1 ? "1 poll carries" : "\(reach.pollsPerMinute) polls carry"
        var words =
            "\(target): \(percent)% of the last minute's \(polls) revision \(revision); \(reach.replaced + reach.fetched) have fetched it"
        if percent < 100, let seconds = reach.secondsSinceStale { words += ", the last \(seconds)s ago" }
        return words
    }
}
