import GateModel

/// Which client reads a platform's object in `launchgate.json`; the two kinds of object look alike, but the clients obey them differently.
enum ObjectDialect {
    /// Dotted versions are compared as text, and the first rule present decides alone.
    case launchGate
    /// Version codes are compared, and the first rule that applies decides.
    case gandalf

    /// LaunchGate has only ever read `ios` and Gandalf only `android`, whatever the platform's version scheme. The objects of other
    /// platforms are for apps that made one of the two read another name, and the scheme says which.
    init(platform: PlatformKey, scheme: VersionScheme) {
        switch platform {
        case .ios: self = .launchGate
        case .android: self = .gandalf
        default: self = scheme == .code ? .gandalf : .launchGate
        }
    }
}
