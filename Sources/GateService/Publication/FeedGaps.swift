package import GateModel

/// Addresses at which there may be a feed that the server cannot know about: one that was published and cannot be read.
///
/// Told to phones and edges as "not now" and never as "there is none": an edge would forget its last good copy, and phones let everybody in.
package enum FeedGaps: Sendable, Equatable {
    case none
    /// The feeds of these apps, and any address outside of `/feeds/`, which may be an alias of theirs.
    case apps(Set<AppKey>)
    /// Every address without a feed.
    case all

    /// Whether an address that has no feed may have one.
    /// - Parameter path: as it was asked for, with its first slash.
    package func mayHave(_ path: String) -> Bool {
        switch self {
        case .none: return false
        case .all: return true
        case .apps(let keys):
            guard path.hasPrefix("/feeds/") else { return true }
            return path.dropFirst("/feeds/".count).split(separator: "/", maxSplits: 1).first.flatMap { AppKey(String($0)) }.map(
                keys.contains
            ) ?? false
        }
    }
}
