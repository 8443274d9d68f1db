import GateJSON
import GateModel

/// The lists that Prince of Versions obeys: one for each of `ios`, `android` and `macos` among the app's platforms.
///
/// The library knows only a required and an optional version: a kill switch changes nothing here. A list is never empty and its one config
/// never without a version, because the library treats both as errors (wire formats 4.1).
enum PrinceOfVersionsFeed {
    /// The platform's name in the document's root; nil for a platform that the library does not know.
    static func listName(of platform: PlatformKey) -> String? {
        switch platform {
        case .ios: "ios2"
        case .android: "android2"
        case .macos: "macos2"
        default: nil
        }
    }

    /// The lists by name: `ios2`, `android2`, `macos2`. Empty if the app has none of these platforms.
    static func members(of targets: [Target]) throws(FeedError) -> JSONObject {
        var lists = JSONObject()
        for platform in [PlatformKey.ios, .android, .macos] {
            guard let name = listName(of: platform), let target = targets.first(where: { $0.key.platform == platform }) else { continue }
            lists[name] = .array([.object(try config(for: target))])
        }
        return lists
    }

    private static func config(for target: Target) throws(FeedError) -> JSONObject {
        let gate = target.gate
        var config = JSONObject()
        if gate.forceUpdate != nil, let newest = target.settings.newestRelease {
            config["required_version"] = try version(newest, "/forceUpdate", target)
        } else if let rule = gate.requiredUpdate {
            config["required_version"] = try version(rule.minimumVersion, "/requiredUpdate/minimumVersion", target)
        }
        if let rule = gate.optionalUpdate, let version = try version(rule.optionalVersion, "/optionalUpdate/optionalVersion", target) {
            config["last_version_available"] = version
            // The dashboard promises that an optional update is shown once per version; `ALWAYS` would show it at every check.
            config["notify_last_version_frequency"] = .string("ONCE")
        }
        if config.isEmpty { config["required_version"] = idle(target) }
        return config
    }

    /// A version that no phone is below.
    private static func idle(_ target: Target) -> JSONValue { target.key.platform == .android ? .integer(1) : .string("0") }

    /// The version as the library reads it on this platform; nil if it cannot be expressed.
    private static func version(_ text: String, _ field: String, _ target: Target) throws(FeedError) -> JSONValue? {
        guard target.key.platform == .android else { return PrinceVersion.text(of: text).map(JSONValue.string) }
        guard target.publishesVersionCodes else { return nil }
        return .number(try PublicationCheck.versionCode(text, field, target))
    }
}

/// A version as Prince of Versions reads it on Apple platforms.
enum PrinceVersion {
    /// `version` in at most three components, which is all that is compared; nil if a component is too large for the library's integers,
    /// because one such value voids its whole list (wire formats 4.1, 4.2).
    static func text(of version: String) -> String? {
        let components = version.split(separator: ".").prefix(3)
        return components.allSatisfy { Int64($0) != nil } ? components.joined(separator: ".") : nil
    }

    /// Whether a fourth component is lost.
    static func isCut(_ version: String) -> Bool { version.split(separator: ".").count > 3 }
}
