public import GateJSON

/// The key of a platform of an app: `ios`, `android`, or any key of the same form.
///
/// `^[a-z0-9][a-z0-9-]{0,62}$`.
public struct PlatformKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let text: String

    /// The key spelled `text`, or nil if that is not a key.
    public init?(_ text: String) {
        guard KeyForm.accepts(text), !Self.reserved.contains(text) else { return nil }
        self.text = text
    }

    /// Reads a key from a document.
    /// - Throws: `invalid_platform_key` (422).
    public init(validating text: String) throws(ModelError) {
        guard let key = PlatformKey(text) else {
            throw .invalid(
                "invalid_platform_key",
                "\(JSONValue.quoted(text)) is no platform key: \(KeyForm.rule); \(Self.reserved.joined(separator: ", ")) are taken by Prince of Versions."
            )
        }
        self = key
    }

    public static let ios = PlatformKey("ios")!
    public static let android = PlatformKey("android")!
    public static let macos = PlatformKey("macos")!

    /// Names that have a meaning of their own in the root of a Prince of Versions document; a platform object of that name would break it.
    public static let reserved = ["ios2", "android2", "macos2", "meta"]

    /// Keys that no new platform gets: to earlier versions of GateKit a document with a member `gate` or `schema` is a native one, so that
    /// they cannot read the other platforms beside it; and to gatectl `all` means every platform. A platform that has one already keeps it.
    package static let keptFree = ["all", "gate", "schema"]

    /// - Throws: `invalid_platform_key` (422) if no new platform gets this key.
    package func checkNew() throws(ModelError) {
        guard Self.keptFree.contains(text) else { return }
        throw .invalid(
            "invalid_platform_key",
            "\(JSONValue.quoted(text)) is no key for a new platform: \(Self.keptFree.joined(separator: ", ")) mean something else in a feed or a command; choose another."
        )
    }

    public static func < (one: PlatformKey, other: PlatformKey) -> Bool { one.text < other.text }

    public var description: String { text }
}
