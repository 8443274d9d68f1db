public import Foundation

/// What a ``GateMonitor`` watches and how. Everything but the feed can stay as it is.
public struct GateConfiguration: Sendable {
    /// The document's address, of any shape. `…/feeds/{app}/{platform}/gate.json` tells ``app`` and ``platform`` too.
    public var feed: URL
    /// The app whose native document is taken; another's is refused. Nil: any.
    public var app: String?
    /// The platform whose native document is taken, and whose object counts in documents of several. Nil: any, and the one that is there.
    public var platform: String?
    /// The servers' public keys. With any, only native documents that one of them has signed are taken.
    public var keys: [GatePublicKey] = []
    /// Where the newest release is, for documents that do not say it.
    public var storeURL: URL?

    /// Seconds for one check, from its start to the last byte; the app waits no longer for its first decision.
    public var timeout: TimeInterval = 10
    /// Seconds between two checks of an app that is let in, unless one is forced.
    public var minimumSpacing: TimeInterval = 30
    /// Bytes of a document at most.
    public var maximumBytes = 262_144
    /// Seconds for which the last good document still holds for an app that is started without a network; 0: not at all.
    public var lastKnownStateAge: TimeInterval = 86_400
    /// Seconds since a native document was issued, by the phone's clock, after which it is refused; nil: never. A gate that nobody changes is
    /// refused too, until somebody does, and so is every document on a phone whose clock is wrong.
    public var maximumIssueAge: TimeInterval?

    public var ordering = GateOrdering.gatehouse
    /// Nil: by the build on `android` where rules are version codes, else by the version.
    public var comparison: GateVersionComparison?
    public var recording = Recording.onAction
    public var remembering = GateSeen.Extent.last
    public var parameters = Parameters.automatic
    /// Whether 0 and 1 are taken for false and true.
    public var numbersAsFlags = false
    /// What another library remembers of this app's people.
    public var legacy: GateLegacySlots?
    /// The app's own requirements of Prince of Versions, by name.
    public var checks: [String: @Sendable (GateValue) -> Bool] = [:]
    /// Where delegates are called.
    public var delivery = GateDelivery.main

    /// When a dialog that can be put away is remembered.
    public enum Recording: String, Sendable, Hashable {
        /// When the person puts it away: ``GateMonitor/acknowledge(_:)``.
        case onAction
        /// When it has appeared, as LaunchGate does: ``GateMonitor/didDisplay(_:)``.
        case onDisplay
    }

    /// Whether the phone tells the feed what it is (`version`, `build`, `os`, `locale`, `platform`), so that the server decides for it.
    public enum Parameters: String, Sendable, Hashable {
        /// Of every feed but a native one, for which the phone decides itself, and which is signed as it is for everybody.
        case automatic
        case always
        case never
    }

    public init(feed: URL) {
        self.feed = feed
        let parts = feed.pathComponents.filter { $0 != "/" }
        guard parts.count >= 3, let start = parts.lastIndex(of: "feeds"), parts.count > start + 3 else { return }
        app = parts[start + 1]
        platform = parts[start + 2]
    }

    /// Under what this feed's memory is kept, apart from that of other apps and feeds.
    var scope: String { "gatekit." + (feed.host ?? "") + feed.path }
}

/// Where the callbacks of a ``GateMonitorDelegate`` run: one after another, in their order.
public struct GateDelivery: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter run: must run what it is given once each, in the order given.
    public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    public static let main = GateDelivery { work in DispatchQueue.main.async(execute: work) }

    /// - Parameter queue: a serial one.
    public static func queue(_ queue: DispatchQueue) -> GateDelivery { GateDelivery { work in queue.async(execute: work) } }
}
