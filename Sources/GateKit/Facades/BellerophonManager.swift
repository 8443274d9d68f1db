public import Foundation

/// What is shown, in Bellerophon's words: a kill switch or blocking alert, or a mandatory update.
public enum BellerophonEvent: String, Sendable, Hashable {
    case killSwitch, forceUpdate
}

/// Bellerophon's delegate. The app no longer fetches the status; the other methods are optional.
@MainActor public protocol BellerophonManagerDelegate: AnyObject {
    func shouldKillSwitch()
    func shouldForceUpdate()
    func bellerophonWillEngage(_ manager: BellerophonManager, event: BellerophonEvent)
    func bellerophonWillDisengage(_ manager: BellerophonManager, event: BellerophonEvent)
    func receivedError(error: any Error)
    /// The text of the current block: when it comes up, and when it changes.
    func bellerophonMessage(_ manager: BellerophonManager, message: String?)
}

extension BellerophonManagerDelegate {
    public func shouldKillSwitch() {}
    public func shouldForceUpdate() {}
    public func bellerophonWillEngage(_ manager: BellerophonManager, event: BellerophonEvent) {}
    public func bellerophonWillDisengage(_ manager: BellerophonManager, event: BellerophonEvent) {}
    public func receivedError(error: any Error) {}
    public func bellerophonMessage(_ manager: BellerophonManager, message: String?) {}
}

/// ``GateMonitor`` with the names of Bellerophon 1.2.2, for apps that are moving from it.
///
/// Unlike Bellerophon it reports a block once rather than at every poll, keeps polling after an error, and reports the end of a block even
/// if no view was given.
@MainActor public final class BellerophonManager {
    /// What polls the feed and decides.
    public let monitor: GateMonitor
    /// Called on the main actor.
    public weak var delegate: (any BellerophonManagerDelegate)?
    /// Whether a block is up.
    public private(set) var isDisplaying = false
    private var engaged: BellerophonEvent?
    private var listening: Task<Void, Never>?

    /// For a monitor that the app has configured itself.
    public init(monitor: GateMonitor) { self.monitor = monitor }

    /// - Parameter status: the address of the status, or of the native document.
    public convenience init(status: URL) {
        var configuration = GateConfiguration(feed: status)
        // Bellerophon accepts 1 and 0 too.
        configuration.numbersAsFlags = true
        self.init(monitor: GateMonitor(configuration, phone: .current()))
    }

    deinit { listening?.cancel() }

    /// Polls the feed.
    public func checkAppStatus() {
        Task {
            await listen()
            await monitor.check()
        }
    }

    /// Polls the feed from the system's background fetch.
    public func fetchAppStatus(_ completion: @escaping @MainActor (GateFetchResult) -> Void) {
        Task {
            await listen()
            completion(await monitor.backgroundFetch())
        }
    }

    /// Shows a status that arrived by push.
    public func updateDisplay(_ status: Data, signature: String? = nil) {
        Task {
            await listen()
            do { try await monitor.apply(status, signature: signature) } catch { delegate?.receivedError(error: error) }
        }
    }

    /// The app is in front again. Bellerophon has no counterpart.
    public func applicationWillEnterForeground() {
        Task {
            await listen()
            await monitor.enterForeground()
        }
    }

    /// The app is no longer in front: no more polling until it is again, or until the system's background fetch.
    public func applicationDidEnterBackground() { Task { await monitor.enterBackground() } }

    /// Removes the block although the feed does not say so; the next one that comes up is shown again.
    public func dismissKillSwitchIfNeeded() { disengage() }

    func listen() async {
        guard listening == nil else { return }
        let (decision, events) = await monitor.following()
        guard listening == nil else { return }
        listening = Task { [weak self] in
            for await event in events { self?.receive(event) }
        }
        // Catches up: a block that came up before is not announced again.
        if decision.kind.shutsOut {
            receive(.willEngage(decision))
            receive(.didEngage(decision))
        }
    }

    private func receive(_ event: GateEvent) {
        switch event {
        case .willEngage(let decision):
            let event: BellerophonEvent = decision.kind == .blocked ? .killSwitch : .forceUpdate
            engaged = event
            delegate?.bellerophonWillEngage(self, event: event)
        case .didEngage(let decision):
            isDisplaying = true
            delegate?.bellerophonMessage(self, message: decision.message)
            switch engaged {
            case .killSwitch: delegate?.shouldKillSwitch()
            case .forceUpdate: delegate?.shouldForceUpdate()
            case nil: break
            }
        case .messageChanged(let decision): delegate?.bellerophonMessage(self, message: decision.message)
        case .didDisengage: disengage()
        case .error(let error, _): delegate?.receivedError(error: error)
        case .willDisengage, .notice, .noticeWithdrawn, .state: break
        }
    }

    private func disengage() {
        guard let event = engaged else { return }
        delegate?.bellerophonWillDisengage(self, event: event)
        engaged = nil
        isDisplaying = false
    }
}
