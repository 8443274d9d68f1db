/// Where a document comes from that is read, and so which rules it has to keep.
public enum DocumentSource: Sendable {
    /// From a person or a program: it keeps every rule of today.
    case request
    /// From the store, or from another server: it kept the rules of the day it was written.
    ///
    /// What it says must be understood to the last member, but it is not cleaned or counted anew, and its times may lie anywhere. A rule
    /// that is made stricter would else take away what is in force, and the history with it.
    case kept
}
