import GateModel

/// Which client reads a platform's object in `launchgate.json`; their objects look alike and are obeyed differently.
enum ObjectDialect {
    /// Dotted versions compared as text, and the first rule that is there decides alone.
    case launchGate
    /// Version codes, and the first rule that applies decides.
    case gandalf

    /// LaunchGate has only ever read `ios` and Gandalf only `android`, whatever the scheme of the platform's versions is. The objects
    /// of other platforms are for apps that point one of the two at a name of their own, and the scheme says which.
    init(platform: PlatformKey, scheme: VersionScheme) {
        switch platform {
        case .ios: self = .launchGate
        case .android: self = .gandalf
        default: self = scheme == .code ? .gandalf : .launchGate
        }
    }
}
