package import GateModel

/// Everything that the bytes of a feed for one phone depend on, besides the app: phones with equal answers are sent the same bytes.
///
/// There are few of them. What a phone sends decides which rule is shown, and in which of the available languages; the phone's own words
/// appear only if a client library cannot be convinced otherwise (``TargetedVersion``).
package struct TargetedAnswer: Sendable, Hashable {
    /// What one client library's part of the document says.
    enum Part: Sendable, Hashable {
        /// The library gets no rule.
        case nothing
        /// A single rule.
        /// - Parameters:
        ///   - language: the tag of its text; nil for the default one.
        ///   - version: what is sent in place of the rule's own version; nil to keep that.
        case rule(Rule, language: String?, version: String?)
        /// The rules as for everybody, with texts in the phone's language: for a phone whose version is not known.
        case everything(languages: [Rule: String])
    }

    package let feed: FeedName
    /// The platform whose part of the document is for the phone; the other parts are as for everybody.
    package let platform: PlatformKey
    /// Bellerophon's members, in the feeds that have them.
    var status: Part?
    /// The platform's object, LaunchGate's or Gandalf's.
    var object: Part?
    /// The platform's list of Prince of Versions.
    var list: Part?
    /// The gate of the native feed.
    var gate: Part?
}
