/// Where a document comes from, and so which rules it must keep.
public enum DocumentSource: Sendable {
    /// A person or a program: it must keep all of today's rules.
    case request
    /// The store, or another server: it kept the rules of the day on which it was written.
    ///
    /// Every member must still be understood, but texts are not cleaned again, lists are not counted again, and times may be of any year.
    /// Otherwise a rule made stricter later would take away what is in force, and the history with it.
    case kept
}
