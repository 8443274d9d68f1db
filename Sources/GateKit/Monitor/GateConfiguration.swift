public import Foundation
import GateModel

/// What a ``GateMonitor`` watches, and how. Everything but the feed has a default.
public struct GateConfiguration: Sendable {
    /// The document's address; the document may have any shape. The address of a platform's feed, such as
    /// `…/feeds/{app}/{platform}/gate.json`, also sets ``app`` and ``platform``. That of a feed for the whole app sets ``platform`` if it
    /// names one, as in `…/feeds/{app}/launchgate.json?platform=macos`. Any other leaves them nil.
    public var feed: URL
    /// The app whose native document is accepted; any other is refused. Nil: any app.
    public var app: String?
    /// The platform whose native document is accepted, and whose object is used in documents of several platforms. Nil: any platform, and
    /// the object that is there.
    public var platform: String?
    /// The servers' public keys. If there are any, only native documents signed by one of them are accepted.
    public var keys: [GatePublicKey] = []
    /// Where to get the newest release, for documents that do not say.
    public var storeURL: URL?

    /// Seconds for one check, from its start to the last byte; the app waits no longer than this for its first decision.
    public var timeout: TimeInterval = 10
    /// Seconds between two checks while the app is let in, unless a check is forced.
    public var minimumSpacing: TimeInterval = 30
    /// The most bytes that a document may have.
    public var maximumBytes = 262_144
    /// For how many seconds the last good document still holds if the app is started without a network; 0: not at all.
    public var lastKnownStateAge: TimeInterval = 86_400
    /// The age in seconds since its issue, by the phone's clock, at which a native document is refused; nil: never. A gate that nobody
    /// changes is then refused too, until somebody changes it, and so is every document on a phone whose clock is wrong.
    public var maximumIssueAge: TimeInterval?

    /// Which rule wins when several apply.
    public var ordering = GateOrdering.gatehouse
    /// If nil: the build if the platform counts in version codes, otherwise the version.
    public var comparison: GateVersionComparison?
    /// When a dialog that can be dismissed is remembered.
    public var recording = Recording.onAction
    /// How much of what was dismissed is remembered.
    public var remembering = GateSeen.Extent.last
    /// Whether the server is told what phone asks.
    public var parameters = Parameters.automatic
    /// Whether 0 and 1 count as false and true.
    public var numbersAsFlags = false
    /// What another library remembers about this app's users.
    public var legacy: GateLegacySlots?
    /// Checks for the app's own Prince of Versions requirements, by name.
    public var checks: [String: @Sendable (GateValue) -> Bool] = [:]
    /// Where delegates are called.
    public var delivery = GateDelivery.main

    /// When a dialog that can be dismissed is remembered.
    public enum Recording: String, Sendable, Hashable {
        /// When the person dismisses it: ``GateMonitor/acknowledge(_:)``.
        case onAction
        /// As soon as it has appeared, as in LaunchGate: ``GateMonitor/didDisplay(_:)``.
        case onDisplay
    }

    /// Whether the phone's data (`version`, `build`, `os`, `locale`, `platform`) is sent to the feed, so that the server decides for it.
    public enum Parameters: String, Sendable, Hashable {
        /// For every feed except a native one, which the phone evaluates itself, and whose signature is the same for everybody.
        /// The server answers any other feed with the one rule that applies: what is behind a dismissed update is not known then.
        case automatic
        /// For every feed, a native one too.
        case always
        /// For no feed: the server learns nothing of the phone, and the phone evaluates what everybody gets.
        case never
    }

    /// The defaults for a feed; its address also sets ``app`` and ``platform`` if it names them, see ``feed``.
    public init(feed: URL) {
        self.feed = feed
        if let target = Self.target(of: feed) {
            (app, platform) = target
        } else {
            platform = Self.askedPlatform(of: feed)
        }
    }

    /// The app and the platform in the address of a platform's feed; nil for any other address, in which the same places may have other
    /// names. Read from the end, because an app or a platform may itself be called `feeds`.
    private static func target(of feed: URL) -> (app: String, platform: String)? {
        var parts = feed.pathComponents[...]
        guard let name = parts.popLast() else { return nil }
        if !["gate.json", "bellerophon.json", "combined.json"].contains(name) {
            // `own/{name}.json` after the platform; right after the app it is a feed of the whole app.
            guard name.hasSuffix(".json"), parts.popLast() == "own" else { return nil }
        }
        guard let platform = parts.popLast(), let app = parts.popLast(), parts.last == "feeds" else { return nil }
        return (app, platform)
    }

    /// The platform for which a feed of the whole app is asked; nil if its address names none. At any other address a parameter of that
    /// name may mean something else.
    ///
    /// The server decides for this platform, and leaves the others as they are for everybody; so no other may be read.
    private static func askedPlatform(of feed: URL) -> String? {
        var parts = feed.pathComponents[...]
        guard let name = parts.popLast() else { return nil }
        if !["launchgate.json", "prince-of-versions.json"].contains(name) {
            guard name.hasSuffix(".json"), parts.popLast() == "own" else { return nil }
        }
        guard parts.popLast() != nil, parts.last == "feeds" else { return nil }
        let items = URLComponents(url: feed, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return items.first { $0.name == "platform" }?.value.flatMap(PlatformKey.init)?.text
    }

    /// How the feed's documents are decided.
    var decisionOptions: GateDocument.DecisionOptions {
        .init(ordering: ordering, comparison: comparison, storeURL: storeURL, checks: checks)
    }

    /// The prefix under which this feed's memory is stored, separate from that of other apps, feeds and servers.
    var scope: String { "gatekit." + (feed.host ?? "") + (feed.port.map { ":\($0)" } ?? "") + feed.path }
}

/// Where the callbacks of a ``GateMonitorDelegate`` run: one at a time, in order.
public struct GateDelivery: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter run: must run every closure it is given exactly once, in the order given.
    public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// The main queue.
    public static let main = GateDelivery { work in DispatchQueue.main.async(execute: work) }

    /// - Parameter queue: must be serial.
    public static func queue(_ queue: DispatchQueue) -> GateDelivery { GateDelivery { work in queue.async(execute: work) } }
}
