import GateHTTP
import GateJSON
import Synchronization

/// What somebody should fix about the way the server is reached, found out from requests. The server works all the same, so notices do not
/// affect its health; each is logged once, and for as long as the server runs it is shown to whoever asks how the server is.
///
/// Thread-safe. Anybody can cause a notice, once, by what they send.
package final class Notices: Sendable {
    private struct Found {
        var undeclaredProxy: PeerAddress?
        var hasTurnedAway = false
    }

    private let state = Mutex(Found())
    private let log: @Sendable (_ message: String, _ details: [String: String]) -> Void

    /// - Parameter log: called at most once for each kind of notice.
    package init(log: @escaping @Sendable (_ message: String, _ details: [String: String]) -> Void = { _, _ in }) { self.log = log }

    /// One sentence each.
    var texts: [String] {
        guard let proxy = state.withLock({ $0.undeclaredProxy }) else { return [] }
        return [Self.text(of: proxy)]
    }

    /// A request said whom it was forwarded for, but came from a peer that is not trusted.
    func sawForwarding(by peer: PeerAddress) {
        let isFirst = state.withLock { state in
            guard state.undeclaredProxy == nil else { return false }
            state.undeclaredProxy = peer
            return true
        }
        if isFirst { log(Self.text(of: peer), ["peer": peer.text]) }
    }

    /// A request was for a host that is not the server's own.
    package func turnedAway(host: String) {
        let isFirst = state.withLock { state in
            defer { state.hasTurnedAway = true }
            return !state.hasTurnedAway
        }
        guard isFirst else { return }
        log(
            "a request for another host was turned away (421), as all such will be; if it is the dashboard's own, give it with --origin",
            Self.isName(host) ? ["host": host] : [:]
        )
    }

    /// Whether a text has the form of a host's name or address, perhaps with a port. Anything else is somebody's mistake, and may be a
    /// secret that went into the wrong header: every token has an underscore, and no host name has one (RFC 1123, 2.1).
    private static func isName(_ text: String) -> Bool {
        (1...261).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || ".-:[]".utf8.contains($0) }
    }

    private static func text(of proxy: PeerAddress) -> String {
        "requests come with X-Forwarded-For from \(proxy), which is no declared proxy: all behind it count as one when sign-ins are slowed down; if it is yours, give --trusted-proxy \(proxy)"
    }
}
