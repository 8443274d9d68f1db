import GateModel

/// Which client reads a platform's object in `launchgate.json`; their objects look alike and are obeyed differently.
enum ObjectReader {
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

/// The platform objects of `launchgate.json`: one for each platform, `{}` when idle, because clients take a missing one for an error.
enum PlatformObjects {
    static func members(of targets: [Target]) throws(FeedError) -> JSONObject {
        var objects = JSONObject()
        for target in targets {
            let object =
                switch ObjectReader(platform: target.key.platform, scheme: target.settings.versionScheme) {
                case .launchGate: LaunchGateFeed.object(for: target)
                case .gandalf: try GandalfFeed.object(for: target)
                }
            objects[target.key.platform.text] = .object(object)
        }
        return objects
    }
}

/// The rule objects that LaunchGate and Gandalf share. Each has all of its members or is not there at all: half a rule makes LaunchGate
/// throw the whole feed away (wire formats 1.1).
enum RuleObject {
    static func requiredUpdate(_ version: String, _ message: Message) -> JSONValue {
        ["minimumVersion": .string(version), "message": .string(message.defaultText)]
    }

    static func optionalUpdate(_ version: String, _ message: Message) -> JSONValue {
        ["optionalVersion": .string(version), "message": .string(message.defaultText)]
    }

    static func alert(_ message: Message, blocking: Bool) -> JSONValue {
        ["message": .string(message.defaultText), "blocking": .bool(blocking)]
    }
}
