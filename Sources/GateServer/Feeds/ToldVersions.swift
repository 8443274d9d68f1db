import GateService

/// How often each version of a target polled one server, as it tells the others.
struct ToldVersions: Sendable, Hashable {
    struct Polls: Sendable, Hashable {
        var hour: Int
        var day: Int

        subscript(span: PolledVersions.Span) -> Int {
            switch span {
            case .hour: hour
            case .day: day
            }
        }
    }

    /// By version, as the phones spell it.
    var named: [String: Polls] = [:]
    /// The polls of versions that were not told apart.
    var others = Polls(hour: 0, day: 0)
}
