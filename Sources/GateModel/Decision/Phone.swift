/// What is known about one installed app when its gate is decided.
public struct Phone: Sendable, Hashable {
    /// The installed version, in the platform's scheme. If it is nil or not a valid version, rules about versions do not apply.
    public var version: String?
    /// Its build, beside the version that people see: on Android the version code. Used only by platforms that count in version codes.
    public var build: String?
    /// What the person reads, as BCP 47 tags or RFC 4647 language ranges, the most wanted first; if empty, default texts are used.
    public var languages: [String]

    public init(version: String? = nil, build: String? = nil, languages: [String] = []) {
        self.version = version
        self.build = build
        self.languages = languages
    }

    /// Whether an app may send a text as its version or build, and be sent it back: 1 to 32 letters, digits, dots, pluses and hyphens (wire
    /// formats section 6).
    package static func maySend(_ version: String) -> Bool {
        Simulation.versionLengths.contains(version.utf8.count)
            && version.utf8.allSatisfy { byte in
                byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2E || byte == 0x2B || byte == 0x2D
            }
    }
}
