package import GateModel

/// Addresses that may have a feed that the server cannot know about, because it was published but cannot be read.
///
/// Phones and edges are told "not now" and never "there is none": an edge would drop its last good copy, and phones would let everybody in.
package enum FeedGaps: Sendable, Equatable {
    case none
    /// The feeds of these apps, and any address outside of `/feeds/`, which may be an alias of theirs.
    case apps(Set<AppKey>)
    /// Every address without a feed.
    case all

    /// Whether an address without a feed may have one.
    /// - Parameter path: as requested, with its leading slash.
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
