import GateAPI

/// What was counted of a revision at the last few looks, a second apart.
///
/// A minute's share counts a phone that has just been told of the change among those that had not, for a minute. Of the polls of the last
/// few seconds those that had it already say how many have it.
struct ReachTrail {
    /// Polls of one revision that say what their caller had.
    private struct Counts {
        var confirmed = 0
        var replaced = 0
    }

    private var looks: [Counts]

    /// How many looks it goes back.
    static let length = 10

    /// - Parameter isNew: nobody can have had the revision before.
    init(isNew: Bool) { looks = isNew ? [Counts()] : [] }

    /// Of the polls since the oldest look, those that had the revision already, in whole per cent; nil when none says.
    mutating func percent(with reach: ReachBody) -> Int? {
        let now = Counts(confirmed: reach.confirmed, replaced: reach.replaced)
        looks.append(now)
        if looks.count > Self.length + 1 { looks.removeFirst() }
        let confirmed = now.confirmed - looks[0].confirmed
        let telling = confirmed + now.replaced - looks[0].replaced
        // Counts that fall are those of a server that began anew.
        guard confirmed >= 0, telling > 0, confirmed <= telling else { return nil }
        return confirmed * 100 / telling
    }
}
