/// The installed app and the phone it runs on.
public struct GatePhone: Sendable, Hashable {
    /// The version that people know: `CFBundleShortVersionString`, Android's `versionName`. Nil, or not a valid version: rules about
    /// versions do not apply.
    public var version: String?
    /// The build number: `CFBundleVersion`, Android's `versionCode`. Rules of a platform that counts in version codes use it.
    public var build: String?
    /// The version of the system, such as `17.2`, or Android's API level.
    public var osVersion: String?
    /// What the person reads, as BCP 47 tags, the most wanted first.
    public var languages: [String]
    /// A name that this installation keeps for ever and that nobody else knows. It decides which rules for a share of phones apply; if it
    /// is nil, those rules do not apply, except at 100 per cent.
    public var installID: String?

    public init(version: String?, build: String? = nil, osVersion: String? = nil, languages: [String] = [], installID: String? = nil) {
        self.version = version
        self.build = build
        self.osVersion = osVersion
        self.languages = languages
        self.installID = installID
    }
}
