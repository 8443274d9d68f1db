package import GateModel

/// Everything that the bytes of a feed for one phone depend on, beside the app: phones with equal answers are sent the same bytes.
///
/// There are few of them. What a phone tells decides which rule speaks, in which of the languages that there are; its own words are in it only
/// where a client library cannot be told otherwise (``TargetedVersion``).
package struct TargetedAnswer: Sendable, Hashable {
    /// What one client library's part of the document says.
    enum Part: Sendable, Hashable {
        /// The library is told nothing.
        case nothing
        /// One rule alone.
        /// - Parameters:
        ///   - language: the tag of its text; nil for the default one.
        ///   - version: what is sent in place of the rule's own version; nil where that stays.
        case rule(Rule, language: String?, version: String?)
        /// The rules as they are for everybody, with texts in the phone's language: for a phone whose version is not known.
        case everything(languages: [Rule: String])
    }

    package let feed: FeedName
    /// The platform whose part of the document is for the phone; those of others are as for everybody.
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
