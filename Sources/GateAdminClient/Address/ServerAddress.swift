import CurlHTTP

/// Where a server's admin API is: scheme, host, port and, behind a proxy, a path before it.
package struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address without a slash at its end: `https://gate.example.com`.
    package let text: String
    /// Whether a token may be sent there: over TLS, or without leaving the machine.
    package let isConfidential: Bool
    /// Whether it is this machine itself: others reach the server by another address.
    package let isLoopback: Bool

    /// The address spelled `text`, or nil for anything but an http or https URL with a host and without user, query and fragment.
    package init?(_ text: String) {
        var text = text.trimmed
        while text.hasSuffix("/") { text.removeLast() }
        // Paths are put behind it, so not even an empty query may stand at its end.
        guard !text.contains(where: { $0 == "?" || $0 == "#" }), !text.indices.contains(where: { text[$0...].hasPrefix(":///") }),
            let url = ServerURL(text), url.isBare,
            url.scheme == "http" || url.scheme == "https"
        else { return nil }
        self.text = text
        isLoopback = Loopback.contains(url.host)
        isConfidential = url.scheme == "https" || isLoopback
    }

    package var description: String { text }

    /// What may have been meant by a text that is no address because it has no scheme: `https://gate.example.com`; on this machine http.
    package static func meant(by text: String) -> ServerAddress? {
        guard !text.contains("://"), let secure = ServerAddress("https://" + text.trimmed), let url = ServerURL(secure.text) else {
            return nil
        }
        return Loopback.contains(url.host) ? ServerAddress("http://" + text.trimmed) : secure
    }

    /// Where phones reach the feeds, as far as it can be known from here: the server's own port for them on this host. Behind a proxy, which a
    /// standard port gives away, they are shown where the API is, and it is the proxy that knows better.
    /// - Parameter port: as the server tells it; nil where it was told of a proxy.
    package func feeds(onPort port: Int?) -> String {
        guard let port, let url = ServerURL(text), url.port != nil else { return text }
        return "\(url.scheme)://\(url.host):\(port)"
    }
}
