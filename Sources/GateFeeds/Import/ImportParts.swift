import GateJSON
import GateModel

/// The members of a document's root, grouped by the library that reads them.
struct ImportParts {
    /// Bellerophon's status, if any of its members is present.
    private(set) var status: JSONObject?
    /// Platform objects for LaunchGate and Gandalf, in the document's order.
    private(set) var objects: [(name: String, value: JSONValue)] = []
    /// Version lists for Prince of Versions, with the platform whose app reads them.
    private(set) var lists: [(name: String, platform: PlatformKey, value: JSONValue)] = []
    /// Members that none of them reads.
    private(set) var others: [String] = []

    static let statusNames = ["apiInactive", "forceUpdate", "retryInterval", "userMessage"]
    static let ruleNames: [Rule] = [.requiredUpdate, .optionalUpdate, .alert]
    private static let listPlatforms: [String: PlatformKey] = ["ios2": .ios, "android2": .android, "macos2": .macos]

    /// - Parameter appleReads: whether Prince of Versions on Apple's systems can read a list.
    init(_ root: JSONObject, app: App, appleReads: (JSONValue) -> Bool) {
        for (name, value) in root.members {
            if Self.statusNames.contains(name) {
                status = status ?? [:]
                status?[name] = value
            } else if let platform = Self.listPlatforms[name] {
                // To both versions of the library null is the same as absent.
                if !value.isNull { lists.append((name, platform, value)) }
            } else if let platform = PlatformKey(name), Self.isList(platform, value) {
                lists.append((name, platform, value))
            } else if let platform = PlatformKey(name), Self.isObject(platform, value, app) {
                objects.append((name, value))
            } else {
                others.append(name)
            }
        }
        dropUnread(appleReads)
    }

    /// The old form of a list: an array under the platform's own name, or on Android a single config without an array.
    private static func isList(_ platform: PlatformKey, _ value: JSONValue) -> Bool {
        switch value {
        case .array: listPlatforms.values.contains(platform)
        case .object(let object):
            platform == .android && (object["required_version"] != nil || object["last_version_available"] != nil)
                && ruleNames.allSatisfy { object[$0.rawValue] == nil }
        default: false
        }
    }

    /// A config for Prince of Versions 1 to 3. Mistaken for a LaunchGate object it would be one without rules, and would lift those in
    /// force.
    private static func isOldConfig(_ value: JSONValue) -> Bool {
        guard let object = value.object, ruleNames.allSatisfy({ object[$0.rawValue] == nil }) else { return false }
        return object.names.contains { ["minimum_version", "latest_version", "optional_update", "minimum_version_min_sdk"].contains($0) }
    }

    private static func isObject(_ platform: PlatformKey, _ value: JSONValue, _ app: App) -> Bool {
        if isOldConfig(value) { return false }
        if platform == .ios || platform == .android || app.platforms[platform] != nil { return true }
        return value.object.map { object in ruleNames.contains { object[$0.rawValue] != nil } } ?? false
    }

    /// Of two lists for one platform the library reads only one: `android2` rather than `android`, but `ios` rather than `ios2`, if it can
    /// read that (wire formats 4.1).
    private mutating func dropUnread(_ appleReads: (JSONValue) -> Bool) {
        for platform in [PlatformKey.ios, .android, .macos] {
            let names = lists.filter { $0.platform == platform }.map(\.name)
            guard names.count == 2 else { continue }
            let isFirstRead =
                platform != .android && lists.contains { $0.name == platform.text && appleReads($0.value) }
            let unread = isFirstRead ? platform.text + "2" : platform.text
            lists.removeAll { $0.name == unread }
            others.append(unread)
        }
    }

    /// Keeps only what a format or a platform asks for; the rest goes to ``others``.
    mutating func keep(_ format: ImportFormat, platform: PlatformKey?) {
        func isWanted(_ one: ImportFormat) -> Bool { format == .auto || format == one }
        if !isWanted(.bellerophon), let status {
            others += status.names
            self.status = nil
        }
        for (name, _) in objects where !isWanted(.launchgate) || (platform != nil && platform?.text != name) { others.append(name) }
        for (name, key, _) in lists where !isWanted(.princeOfVersions) || (platform != nil && platform != key) { others.append(name) }
        let left = Set(others)
        objects.removeAll { left.contains($0.name) }
        lists.removeAll { left.contains($0.name) }
    }

    /// The libraries that read the parts, for each platform of the app.
    /// - Parameter platform: the platform of a status; nil for `ios`.
    func readers(_ app: App, platform: PlatformKey?) -> [PlatformKey: Set<ClientLibrary>] {
        var readers: [PlatformKey: Set<ClientLibrary>] = [:]
        if status != nil { readers[platform ?? .ios, default: []].insert(.bellerophon) }
        for (name, _) in objects {
            guard let target = PlatformKey(name).flatMap({ app.platforms[$0] }) else { continue }
            switch ObjectDialect(platform: target.key.platform, scheme: target.settings.versionScheme) {
            case .launchGate: readers[target.key.platform, default: []].insert(.launchgate)
            case .gandalf: readers[target.key.platform, default: []].insert(.gandalf)
            }
        }
        for (_, platform, _) in lists { readers[platform, default: []].insert(.princeOfVersions) }
        return readers
    }

    /// The formats whose parts are present.
    var formats: [ImportFormat] {
        [status == nil ? nil : .bellerophon, objects.isEmpty ? nil : .launchgate, lists.isEmpty ? nil : .princeOfVersions].compactMap(
            \.self
        )
    }
}
