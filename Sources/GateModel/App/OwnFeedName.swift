public import GateJSON

/// The name of a feed in an app's own shape: a component of its address, in the form that keys have.
///
/// `^[a-z0-9][a-z0-9-]{0,62}$`, and none of the names of Gatehouse's own feeds: `/feeds/shop/own/gate.json` is the native feed of a
/// platform called `own`.
public struct OwnFeedName: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let text: String

    /// The name spelled `text`, or nil if that is not a name.
    public init?(_ text: String) {
        guard KeyForm.accepts(text), !Self.reserved.contains(text) else { return nil }
        self.text = text
    }

    /// Reads a name from a document.
    /// - Throws: `invalid_own_feed` (422).
    public init(validating text: String) throws(ModelError) {
        guard let name = OwnFeedName(text) else {
            let shown = JSONValue.quoted(text)
            throw .invalid(
                "invalid_own_feed",
                "\(shown) is no name of a feed: \(KeyForm.rule), and not \(Self.reserved.joined(separator: ", "))."
            )
        }
        self = name
    }

    public static let reserved = FeedName.allCases.map(\.rawValue)
    /// An ECMA 262 expression for the whole text.
    public static let pattern = "^\(form)$"
    /// Like ``pattern``, for use inside another expression.
    public static let form = "(?!(?:\(reserved.joined(separator: "|")))(?![a-z0-9-]))" + KeyForm.pattern.dropFirst().dropLast()

    public static func < (one: OwnFeedName, other: OwnFeedName) -> Bool { one.text < other.text }

    public var description: String { text }
}
