import Foundation

/// Which redirections are followed: at most three, and never from https to a weaker scheme.
enum RedirectRule {
    static let most = 3

    /// - Parameter followed: redirections of the same request before this one.
    static func allows(from: URL?, to: URL?, followed: Int) -> Bool {
        guard followed < most, let old = from?.scheme?.lowercased(), let new = to?.scheme?.lowercased() else { return false }
        switch (old, new) {
        case ("https", "https"), ("http", "http"), ("http", "https"): return true
        default: return false
        }
    }
}
