public import GateJSON

/// A path of the feeds listener that shipped apps poll and that can no longer be changed; it serves one of the app's feeds.
public struct Alias: Sendable, Hashable {
    /// Absolute, such as `/config.json`.
    public let path: String
    public let feed: AliasedFeed
    /// The platform whose feed it serves, for feeds that exist once per platform; otherwise nil.
    public let platform: PlatformKey?

    public init(path: String, feed: AliasedFeed, platform: PlatformKey?) {
        self.path = path
        self.feed = feed
        self.platform = platform
    }

    /// - Throws: malformed (400), `invalid_alias` or `invalid_platform_key` (422).
    public init(json: JSONValue) throws(ModelError) { self = try Self.asked.read(json) }

    /// Reads an alias that this program stored. Its path stays valid even if Gatehouse has since reserved it.
    public init(stored json: JSONValue) throws(ModelError) { self = try Self.kept.read(json) }

    public var json: JSONValue { Self.told.write(self) }

    /// Length of a path in ASCII characters.
    public static let pathLengths = 2...512

    /// The form of a path as an ECMA 262 expression for the whole text.
    public static let pattern =
        "^(?!/(?:\(reservedRoots.map { $0.split(separator: ".").joined(separator: "[.]") }.joined(separator: "|")))(?:/|$))"
        + #"(?:/(?!\.{1,2}(?:/|$))[!$&'()*+,\-.0-9:;=@A-Z\[\]_a-z~]+)*/?$"#

    /// The most aliases that one app can have.
    public static let mostPerApp = 100

    /// First components of paths that Gatehouse itself answers, on either listener.
    public static let reservedRoots = ["feeds", "ofrep", "healthz", "api", "metrics", "openapi.json", "rehearsals"]

    /// - Throws: `invalid_alias` (422).
    static func check(path: String) throws(ModelError) {
        func refusal(_ why: String) -> ModelError { .invalid("invalid_alias", why) }
        let allowed: (UInt8) -> Bool = { byte in
            (0x21...0x7E).contains(byte) && !#"?#%\"<>^`{|}"#.utf8.contains(byte)
        }
        guard path.utf8.first == UInt8(ascii: "/"), pathLengths.contains(path.utf8.count), path.utf8.allSatisfy(allowed) else {
            throw refusal(
                "A path starts with / and has up to 512 letters, digits and - . _ ~ / and such, without a query, such as \"/config.json\"."
            )
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard !parts.contains("."), !parts.contains(".."), !parts.dropLast().contains("") else {
            throw refusal("A path has no empty, . or .. part: phones and proxies would change it on the way.")
        }
        guard let root = parts.first, !reservedRoots.contains(String(root)) else {
            throw refusal("Paths under /\(parts.first ?? "") belong to Gatehouse itself; choose another.")
        }
    }
}
