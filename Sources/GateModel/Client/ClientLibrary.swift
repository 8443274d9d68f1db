/// The libraries with which an app can read its gate; the raw value is the name in the API and in commands.
public enum ClientLibrary: String, Sendable, Hashable, CaseIterable {
    case bellerophon
    case launchgate
    case gandalf
    case princeOfVersions = "prince-of-versions"
    /// Gatehouse's own library: it shows what the gate means.
    case gatekit
    /// Any OpenFeature SDK: what the app does with the flags is up to the app.
    case openFeature = "openfeature"

    /// The libraries that have long been shipped in apps, and for which there are models.
    public static let shipped: [ClientLibrary] = [.bellerophon, .launchgate, .gandalf, .princeOfVersions]

    /// The name as its makers write it.
    public var title: String {
        switch self {
        case .bellerophon: "Bellerophon"
        case .launchgate: "LaunchGate"
        case .gandalf: "Gandalf"
        case .princeOfVersions: "Prince of Versions"
        case .gatekit: "GateKit"
        case .openFeature: "OpenFeature"
        }
    }

    /// The document that it polls.
    public var feed: FeedName {
        switch self {
        case .bellerophon: .bellerophon
        case .launchgate, .gandalf: .launchgate
        case .princeOfVersions: .princeOfVersions
        case .gatekit, .openFeature: .gate
        }
    }
}
