import GateJSON
package import GateModel

/// Prince of Versions 4 on iOS or macOS: what it does with a feed's bytes (its `UpdateData.swift`, `Version.swift`; wire formats section
/// 4).
package enum PrinceOfVersionsAppleClient {
    /// A version as the library compares it: three numbers, and a build after a hyphen.
    package struct Version: Sendable, Hashable, Comparable {
        /// Major, minor, patch, build.
        private let numbers: [Int]

        /// Nil if the first component is not a number; other components that are not numbers count as 0.
        package init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            let components = parts[0].split(separator: ".", omittingEmptySubsequences: false)
            guard let major = Int(components[0]) else { return nil }
            func component(_ index: Int) -> Int { index < components.count ? Int(components[index]) ?? 0 : 0 }
            numbers = [major, component(1), component(2), parts.count > 1 ? Int(parts[1]) ?? 0 : 0]
        }

        private init(numbers: [Int]) { self.numbers = numbers }

        /// The version with the highest possible build: whatever is greater than this is greater than every build that a phone can have.
        var release: Version { Version(numbers: numbers.prefix(3) + [.max]) }

        /// The next patch; nil if there is none.
        var next: Version? {
            numbers[2] < .max ? Version(numbers: [numbers[0], numbers[1], numbers[2] + 1, 0]) : nil
        }

        /// The text without its build.
        var text: String { numbers.prefix(3).map(String.init).joined(separator: ".") }

        package static func < (one: Version, other: Version) -> Bool { one.numbers.lexicographicallyPrecedes(other.numbers) }

        /// The name under which the library remembers that this version was shown.
        package var flag: String { "\(numbers[0]).\(numbers[1]).\(numbers[2])-\(numbers[3])" }
    }

    /// One element of a list.
    struct Config {
        let required: Version?
        let requiredText: String
        let last: Version?
        let lastText: String
        let isShownAlways: Bool
        let requirements: JSONObject
    }

    /// The versions that were shown: the library keeps a flag for each, for ever.
    package struct Memory: Sendable, Hashable {
        package var shown: Set<String>

        package init(shown: Set<String> = []) { self.shown = shown }

        package mutating func remember(_ decision: ClientDecision) {
            if case .optionalUpdate(let version, _) = decision, let version = Version(version) { shown.insert(version.flag) }
        }
    }

    /// - Parameters:
    ///   - installed: `CFBundleShortVersionString-CFBundleVersion`, or without the build.
    ///   - platform: `ios` or `macos`: whose list is read.
    ///   - os: the system's version, for requirements.
    package static func decide(
        _ bytes: [UInt8],
        installed: String,
        platform: PlatformKey = .ios,
        os: String = "99.0.0",
        memory: Memory = Memory()
    ) -> ClientDecision {
        decide(read(bytes, platform: platform, os: os), installed: installed, memory: memory)
    }

    /// The library's result for a document, before it considers the app's own version.
    enum Reading {
        case failed(reason: String)
        /// The config that the phone's system selects.
        case config(Config)
    }

    static func read(_ bytes: [UInt8], platform: PlatformKey = .ios, os: String = "99.0.0") -> Reading {
        guard let root = AppleJSON.read(bytes, equalNames: .first)?.object else { return .failed(reason: "not a JSON object") }
        guard let configs = list(root[platform.text]) ?? list(root[platform.text + "2"]) else {
            return .failed(reason: "no list of configs")
        }
        guard let config = configs.first(where: { isSatisfied($0.requirements, os: os) }) else {
            return .failed(reason: "no config matches")
        }
        return .config(config)
    }

    /// What a phone does once it has read its feed.
    static func decide(_ reading: Reading, installed: String, memory: Memory = Memory()) -> ClientDecision {
        let config: Config
        switch reading {
        case .failed(let reason): return .failed(reason: reason)
        case .config(let chosen): config = chosen
        }
        guard let installed = Version(installed) else { return .failed(reason: "the library cannot read the installed version") }
        guard config.required != nil || config.last != nil else { return .failed(reason: "the config has no version") }
        if let required = config.required, installed < required { return .requiredUpdate(version: config.requiredText, message: "") }
        if let last = config.last, installed < last, config.isShownAlways || !memory.shown.contains(last.flag) {
            return .optionalUpdate(version: config.lastText, message: "")
        }
        return .proceed
    }

    /// The configs in a list; nil if it is not a list or if any of them is malformed, which discards them all.
    private static func list(_ value: JSONValue?) -> [Config]? {
        guard let items = value?.array else { return nil }
        var configs: [Config] = []
        for item in items {
            guard let config = config(item) else { return nil }
            configs.append(config)
        }
        return configs
    }

    /// Whether the library can read a list. If it cannot, it looks for one under the other name.
    static func reads(_ value: JSONValue) -> Bool { list(value) != nil }

    /// The members of a config for which the library discards its whole list.
    static func unreadableMembers(of config: JSONObject) -> [String] {
        config.members.filter { Self.config(.object([$0.name: $0.value])) == nil }.map(\.name)
    }

    private static func config(_ value: JSONValue) -> Config? {
        guard let object = value.object else { return nil }
        var versions: [(version: Version?, text: String)] = []
        for name in ["required_version", "last_version_available"] {
            switch object[name] {
            case nil, .null: versions.append((nil, ""))
            case .string(let text):
                guard let version = Version(text) else { return nil }
                versions.append((version, text))
            default: return nil
            }
        }
        let isShownAlways: Bool
        switch object["notify_last_version_frequency"] {
        case nil, .null, .string("ONCE"): isShownAlways = false
        case .string("ALWAYS"): isShownAlways = true
        default: return nil
        }
        let requirements: JSONObject
        switch object["requirements"] {
        case nil, .null: requirements = [:]
        case .object(let object): requirements = object
        default: return nil
        }
        switch object["meta"] {
        case nil, .null: break
        case .object(let meta) where meta.members.allSatisfy({ $0.value.array == nil && $0.value.object == nil }): break
        default: return nil
        }
        return Config(
            required: versions[0].version,
            requiredText: versions[0].text,
            last: versions[1].version,
            lastText: versions[1].text,
            isShownAlways: isShownAlways,
            requirements: requirements
        )
    }

    /// Whether a member of a config's `requirements` asks anything of a phone: the system's version if it is a text that the library can
    /// read, which otherwise counts as absent; and whatever has another name, even if it is null.
    static func isRequirement(_ name: String, _ value: JSONValue) -> Bool { name != osVersion || systemVersion(value) != nil }

    private static let osVersion = "required_os_version"

    private static func systemVersion(_ value: JSONValue) -> Version? { value.string.flatMap(Version.init(_:)) }

    /// Requirements that only the app could check count as not satisfied.
    private static func isSatisfied(_ requirements: JSONObject, os: String) -> Bool {
        requirements.members.filter { isRequirement($0.name, $0.value) }.allSatisfy { name, value in
            guard name == osVersion, let wanted = systemVersion(value) else { return false }
            guard let os = Version(os) else { return true }
            return !(os < wanted)
        }
    }
}
