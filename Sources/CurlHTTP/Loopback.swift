/// The hosts that are this machine itself.
package enum Loopback {
    /// RFC 6761 section 6.3 gives `localhost` to the machine itself; RFC 1122 and RFC 4291 the two addresses.
    /// - Parameter host: of a ``ServerURL``.
    package static func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        let isFourOctets = octets.count == 4 && octets.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "[::1]" || (isFourOctets && octets[0] == "127")
    }
}
