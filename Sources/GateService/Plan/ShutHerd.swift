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
        var herd = Herd()
        for (feed, polls) in record.pollsPerMinute(of: changed.target) {
            guard let library = feed.retrying(settings.clients) else { continue }
            let cycle = earlier.flatMap { library.cycle(every: $0) }
            herd.add(Double(polls) * (cycle ?? 60) / 60, library)
        }
        guard herd.asking > 0 else { return nil }
        self.herd = herd
        interval = kill.retryInterval
    }
}

extension FeedName {
    /// Which library asks again by itself for this document.
    /// - Parameter clients: those that the platform's apps use; nil where nobody said.
    /// - Returns: nil where its readers ask when the app is opened alone. Where several could be meant, the one that asks more often.
    fileprivate func retrying(_ clients: [ClientLibrary]?) -> ClientLibrary? {
        let readers: [ClientLibrary] =
            switch self {
            case .bellerophon, .combined: [.bellerophon, .gatekit]
            case .gate: [.gatekit]
            // What GateKit reads of these is known where nothing else is used.
            case .launchgate, .princeOfVersions: clients == [.gatekit] ? [.gatekit] : []
            }
        guard let clients else { return readers.first }
        return readers.first(where: clients.contains)
    }
}
