public import GateJSON

/// The key of an app: its name in URLs, commands and feeds.
///
/// `^[a-z0-9][a-z0-9-]{0,62}$`.
public struct AppKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let text: String

    /// Length in ASCII characters, also for a platform's key.
    public static let lengths = KeyForm.lengths
    /// The form of a key, also of a platform's, as an ECMA 262 expression for the whole text.
    public static let pattern = KeyForm.pattern

    /// The key spelled `text`, or nil if that is not a key.
    public init?(_ text: String) {
        guard KeyForm.accepts(text) else { return nil }
        self.text = text
    }

    /// Reads a key from a document.
    /// - Throws: `invalid_app_key` (422).
    public init(validating text: String) throws(ModelError) {
        guard let key = AppKey(text) else {
            throw .invalid("invalid_app_key", "\(JSONValue.quoted(text)) is no app key: \(KeyForm.rule).")
        }
        self = key
    }

    /// - Throws: `invalid_app_key` (422) if no new app gets this key: to gatectl `all` means every app. Who has it already keeps it.
    package func checkNew() throws(ModelError) {
        guard text == "all" else { return }
        throw .invalid("invalid_app_key", "\"all\" is no key for a new app: in a command it means every app; choose another.")
    }

    public static func < (one: AppKey, other: AppKey) -> Bool { one.text < other.text }

    public var description: String { text }
}
