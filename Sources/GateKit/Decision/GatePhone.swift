/// The installed app and the phone it runs on.
public struct GatePhone: Sendable, Hashable {
    /// The version people know: `CFBundleShortVersionString`, Android's `versionName`. Nil, or what is no version: rules about versions do not apply.
    public var version: String?
    /// The number of the build: `CFBundleVersion`, Android's `versionCode`. It is what rules of the platform `android` count in.
    public var build: String?
    /// The version of the system, such as `17.2`, or Android's API level.
    public var osVersion: String?
    /// What the person reads, as BCP 47 tags, the most wanted first.
    public var languages: [String]
    /// A name that this installation keeps for ever, known to nobody else. Rules for a share of phones are drawn by it; nil: such rules do not
    /// apply, unless they are for all.
    public var installID: String?

    public init(version: String?, build: String? = nil, osVersion: String? = nil, languages: [String] = [], installID: String? = nil) {
        self.version = version
        self.build = build
        self.osVersion = osVersion
        self.languages = languages
        self.installID = installID
    }
}
