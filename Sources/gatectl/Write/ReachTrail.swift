import GateAPI

/// What was counted for a revision at the last few looks, a second apart.
///
/// In the share of the last minute, a phone that has just fetched the change still counts as one without it, for a minute. The polls of the
/// last few seconds say sooner how many have it.
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

    /// The share of the polls since the oldest look that already had the revision, in whole per cent rounded down; nil if none says what it
    /// had.
    mutating func percent(with reach: ReachBody) -> Int? {
        let now = Counts(confirmed: reach.confirmed, replaced: reach.replaced)
        looks.append(now)
        if looks.count > Self.length + 1 { looks.removeFirst() }
        let confirmed = now.confirmed - looks[0].confirmed
        let telling = confirmed + now.replaced - looks[0].replaced
        // Falling counts mean that the server was started again.
        guard confirmed >= 0, telling > 0, confirmed <= telling else { return nil }
        return confirmed * 100 / telling
    }
}
