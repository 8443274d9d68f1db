/// The libraries in shipped apps that read feeds; the raw value is their name in the API and in commands.
public enum ClientLibrary: String, Sendable, Hashable, CaseIterable {
    case bellerophon
    case launchgate
    case gandalf
    case princeOfVersions = "prince-of-versions"

    /// As its makers write it.
    public var title: String {
        switch self {
        case .bellerophon: "Bellerophon"
        case .launchgate: "LaunchGate"
        case .gandalf: "Gandalf"
        case .princeOfVersions: "Prince of Versions"
        }
    }

    /// The document that it polls.
    public var feed: FeedName {
        switch self {
        case .bellerophon: .bellerophon
        case .launchgate, .gandalf: .launchgate
        case .princeOfVersions: .princeOfVersions
        }
    }
}
