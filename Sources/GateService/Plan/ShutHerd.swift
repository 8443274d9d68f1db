import GateJSON
import GateModel

/// The phones that a change's kill switch shuts out on a target and that will ask again, as far as the last minute's polls tell.
struct ShutHerd {
    let herd: Herd
    /// Seconds after which they will ask again.
    let interval: Int

    /// - Parameter since: when the target entered its present state.
    /// - Returns: nil for a change that does not alter a kill switch or that lets people in, and when no phone that asks by itself polled.
    init?(of changed: ChangedTarget, settings: PlatformSettings, since: Timestamp, now: Timestamp, polls record: (any PollRecord)?) {
        guard let kill = changed.after.killSwitch, kill != changed.before.killSwitch, kill.opening == nil, let record else { return nil }
        // After a minute of a block, polls come from phones that ask again and again; before that, each comes from an app being opened.
        let earlier = changed.before.killSwitch.flatMap { now.milliseconds - since.milliseconds >= 60_000 ? $0.retryInterval : nil }
        let polls = record.pollsPerMinute(of: changed.target).filter { $0.key.isReadByWhoAsksAgain(settings.clients) }.values.reduce(0, +)
        guard polls > 0 else { return nil }
        herd = Herd(phones: Double(polls) * Double(earlier ?? 60) / 60)
        interval = kill.retryInterval
    }
}

extension FeedName {
    /// Whether the libraries that poll this feed ask again by themselves.
    /// - Parameter clients: the libraries that the platform's apps use; nil if nobody said, and then those the document is for.
    fileprivate func isReadByWhoAsksAgain(_ clients: [ClientLibrary]?) -> Bool {
        let isTheirs: Bool =
            switch self {
            case .bellerophon, .combined, .gate: true
            case .launchgate, .princeOfVersions: false
            }
        guard let clients else { return isTheirs }
        // GateKit reads the other documents too; it is known to be GateKit only where nothing else is used.
        return isTheirs ? clients.contains(where: \.asksAgain) : clients.allSatisfy(\.asksAgain)
    }
}
