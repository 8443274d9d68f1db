import Foundation

/// Where a server's admin API is: scheme, host, port and, behind a proxy, a path before it.
package struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address without a slash at its end: `https://gate.example.com`.
    package let text: String
    /// Whether a token may be sent there: over TLS, or without leaving the machine.
    package let isConfidential: Bool

    /// The address spelled `text`, or nil for anything but an http or https URL with a host and without user, query and fragment.
    package init?(_ text: String) {
        var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        self.text = text
        isConfidential = scheme == "https" || Self.isLoopback(host.lowercased())
    }

    package var description: String { text }

    /// RFC 6761 section 6.3 gives `localhost` to the machine itself; RFC 1122 and RFC 4291 the two addresses.
    private static func isLoopback(_ host: String) -> Bool {
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        let isFourOctets = octets.count == 4 && octets.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "[::1]" || host == "::1" || (isFourOctets && octets[0] == "127")
    }
}

/// A secret that opens the admin API. It is written into one header and nowhere else.
package struct BearerToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let secret: String

    /// The token in `text`, or nil when it cannot stand in a header: empty, or with anything but printable ASCII in it.
    package init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        secret = text
    }

    /// The public part of a token, by which it is listed and revoked: the second word of `gate_{id}_…`; nil for a token of another form.
    var id: String? {
        let words = secret.split(separator: "_")
        return words.count >= 3 && words[0] == "gate" ? String(words[1]) : nil
    }

    /// The token's text, for the one file that keeps it.
    package var textForSafekeeping: String { secret }

    package var description: String { "token" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
