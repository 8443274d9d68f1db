import CurlHTTP

/// Where a server's admin API is: scheme, host, port and, behind a proxy, a path prefix.
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
        // Paths are appended to it, so it may not even end with an empty query.
        guard !text.contains(where: { $0 == "?" || $0 == "#" }), !text.indices.contains(where: { text[$0...].hasPrefix(":///") }),
            let url = ServerURL(text), url.isBare,
            url.scheme == "http" || url.scheme == "https"
        else { return nil }
        self.text = text
        isLoopback = Loopback.contains(url.host)
        isConfidential = url.scheme == "https" || isLoopback
    }

    package var description: String { text }

    /// The address without its path, for one that has a path: `https://gate.example.com` for `https://gate.example.com/gates`. Nil for any
    /// other.
    package var withoutPath: ServerAddress? {
        guard let scheme = text.firstRange(of: "://"), let slash = text[scheme.upperBound...].firstIndex(of: "/") else { return nil }
        return ServerAddress(String(text[..<slash]))
    }

    /// What was probably meant by a text that lacks only the scheme: `https://gate.example.com`, or http for this machine.
    package static func meant(by text: String) -> ServerAddress? {
        guard !text.contains("://"), let secure = ServerAddress("https://" + text.trimmed), let url = ServerURL(secure.text) else {
            return nil
        }
        return Loopback.contains(url.host) ? ServerAddress("http://" + text.trimmed) : secure
    }

    /// Where phones reach the feeds, as far as can be known from here: on this host, at the server's port for feeds. An address without a
    /// port points to a proxy; the API's own address is then given, although only the proxy knows where the feeds are.
    /// - Parameter port: the feeds' port as the server reports it; nil if it was told of a proxy.
    package func feeds(onPort port: Int?) -> String {
        guard let port, let url = ServerURL(text), url.port != nil else { return text }
        return "\(url.scheme)://\(url.host):\(port)"
    }
}
