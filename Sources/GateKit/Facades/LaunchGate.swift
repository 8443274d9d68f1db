public import Foundation

/// ``GateMonitor`` and ``GateScreen`` with the names of LaunchGate, for apps that are moving from it.
///
/// Unlike LaunchGate it compares versions as numbers, removes a block when the gate opens, and never puts one dialog over another.
@MainActor public final class LaunchGate {
    /// What polls the feed and decides.
    public let monitor: GateMonitor
    private let screen: GateScreen

    /// Nil if an address is not valid.
    /// - Parameters:
    ///   - configURI: the address of `launchgate.json`, or of the native document.
    ///   - appStoreURI: where to get the newest release.
    ///   - presenter: draws the dialogs.
    ///   - open: opens the store.
    public convenience init?(
        configURI: String,
        appStoreURI: String,
        presenter: any GatePresenter,
        phone: GatePhone = .current(),
        open: @escaping @MainActor (URL) -> Void
    ) {
        guard let feed = URL(string: configURI), feed.host != nil, let store = URL(string: appStoreURI), store.scheme != nil else {
            return nil
        }
        var configuration = GateConfiguration(feed: feed)
        configuration.platform = configuration.platform ?? "ios"
        configuration.storeURL = store
        configuration.numbersAsFlags = true
        configuration.legacy = .launchGate
        self.init(
            monitor: GateMonitor(configuration, phone: phone),
            presenter: presenter,
            texts: .of(phone.languages),
            open: open
        )
    }

    /// For a monitor that the app has configured itself, and words of its own.
    public init(monitor: GateMonitor, presenter: any GatePresenter, texts: GateTexts, open: @escaping @MainActor (URL) -> Void) {
        self.monitor = monitor
        screen = GateScreen(monitor: monitor, presenter: presenter, texts: texts, open: open)
    }

    /// Polls the feed and shows what it says. Call it when the app becomes active, as before.
    public func check() { Task { await checkNow() } }

    func checkNow() async {
        await screen.listen()
        await monitor.enterForeground()
    }

    /// The app is no longer in front.
    public func rest() { Task { await monitor.enterBackground() } }
}

#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension LaunchGate {
        /// LaunchGate's own initialiser, plus the scene whose app is covered.
        public convenience init?(configURI: String, appStoreURI: String, scene: UIWindowScene) {
            self.init(configURI: configURI, appStoreURI: appStoreURI, presenter: UIKitGatePresenter(scene: scene)) { url in
                UIApplication.shared.open(url)
            }
        }
    }
#endif
