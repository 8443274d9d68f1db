/// What is known about one installed app when its gate is decided.
public struct Phone: Sendable, Hashable {
    /// The installed version, in the platform's scheme. If it is nil or not a valid version, rules about versions do not apply.
    public var version: String?
    /// Its build, beside the version that people see: on Android the version code. Used only by platforms that count in version codes.
    public var build: String?
    /// The version of the system, such as `17.2`, or Android's API level. No rule of a gate uses it; the requirements of Prince of Versions
    /// do.
    public var osVersion: String?
    /// What the person reads, as BCP 47 tags or RFC 4647 language ranges, the most wanted first; if empty, default texts are used.
    public var languages: [String]

    public init(version: String? = nil, build: String? = nil, osVersion: String? = nil, languages: [String] = []) {
        self.version = version
        self.build = build
        self.osVersion = osVersion
        self.languages = languages
    }
}
