/// What is known of one installed app when its gate is decided.
public struct Phone: Sendable, Hashable {
    /// The installed version, in the platform's scheme. Nil, or a text that is no version: rules about versions do not apply to it.
    public var version: String?
    /// Its build, beside the version that its people see: on Android the version code. Only platforms that count in codes look at it.
    public var build: String?
    /// The version of the system, such as `17.2`, or Android's API level. No rule of a gate looks at it; requirements of Prince of Versions do.
    public var osVersion: String?
    /// What the person reads, as BCP 47 tags or RFC 4647 language ranges, the most wanted first; none: the default texts.
    public var languages: [String]

    public init(version: String? = nil, build: String? = nil, osVersion: String? = nil, languages: [String] = []) {
        self.version = version
        self.build = build
        self.osVersion = osVersion
        self.languages = languages
    }
}
