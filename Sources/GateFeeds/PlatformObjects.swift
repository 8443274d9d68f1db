import GateJSON
import GateModel

/// The platform objects of `launchgate.json`: one for each platform, `{}` when idle, because clients treat a missing one as an error.
enum PlatformObjects {
    static func members(of targets: [Target]) throws(FeedError) -> JSONObject {
        var objects: [(name: String, value: JSONValue)] = []
        for target in targets {
            let object =
                switch ObjectDialect(platform: target.key.platform, scheme: target.settings.versionScheme) {
                case .launchGate: LaunchGateFeed.object(for: target)
                case .gandalf: try GandalfFeed.object(for: target)
                }
            objects.append((target.key.platform.text, .object(object)))
        }
        return JSONObject(uniqueMembers: objects)
    }
}
