import GateJSON
import GateModel

/// Whom a change's kill switch shuts out on a target and will ask again, as far as the polls of the last minute tell.
struct ShutHerd {
    let herd: Herd
    /// Seconds after which they will ask again.
    let interval: Int

    /// - Parameter since: when the target came into the state that it is in.
    /// - Returns: nil for a change that says nothing new about a kill switch or lets people in, and where no phone that asks by itself polled.
    init?(of changed: ChangedTarget, settings: PlatformSettings, since: Timestamp, now: Timestamp, polls record: (any PollRecord)?) {
        guard let kill = changed.after.killSwitch, kill != changed.before.killSwitch, kill.opening == nil, let record else { return nil }
        // After a minute of a block the polls are those of phones that ask again and again; before, each is of one that was opened.
        let earlier = changed.before.killSwitch.flatMap { now.milliseconds - since.milliseconds >= 60_000 ? $0.retryInterval : nil }
        let polls = record.pollsPerMinute(of: changed.target).filter { $0.key.isReadByWhoAsksAgain(settings.clients) }.values.reduce(0, +)
        guard polls > 0 else { return nil }
        herd = Herd(phones: Double(polls) * Double(earlier ?? 60) / 60)
        interval = kill.retryInterval
    }
}

extension FeedName {
    /// Whether those who poll it ask again by themselves.
    /// - Parameter clients: those that the platform's apps use; nil where nobody said, and then whoever the document is for.
    fileprivate func isReadByWhoAsksAgain(_ clients: [ClientLibrary]?) -> Bool {
        let isTheirs: Bool =
            switch self {
            case .bellerophon, .combined, .gate: true
            case .launchgate, .princeOfVersions: false
            }
        guard let clients else { return isTheirs }
        // GateKit reads the others too, which is known where nothing else is used.
        return isTheirs ? clients.contains(where: \.asksAgain) : clients.allSatisfy(\.asksAgain)
    }
}
