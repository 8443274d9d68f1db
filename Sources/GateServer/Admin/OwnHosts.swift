import GateHTTP

/// The hosts that the admin listener answers for (R60).
///
/// Another site can point its own name at this server (DNS rebinding), and a browser then treats that site's requests here as same-origin.
/// It still sends the site's name as `Host`, so names other than the server's own are turned away. A numeric address cannot be rebound, so
/// where the server listens on all addresses, any numeric address counts as its own: it cannot know which one leads here from outside,
/// through a router or a container's bridge.
package struct OwnHosts: Sendable {
    /// In lower case, without a final dot.
    private let names: Set<String>
    private let addresses: Set<PeerAddress>
    private let takesAnyAddress: Bool

    /// - Parameters:
    ///   - address: the one that the server listens on; `0.0.0.0` and `::` stand for all.
    ///   - origins: the server's addresses as others see them, such as `https://gate.example.com`.
    package init(listening address: String, origins: [String]) {
        let listening = PeerAddress(text: address)
        takesAnyAddress = listening?.bytes.allSatisfy { $0 == 0 } ?? true
        let authorities = origins.compactMap { $0.split(separator: "/").last.flatMap { Self.host(of: String($0)) } }
        names = Set(["localhost"] + authorities)
        addresses = Set(authorities.compactMap(PeerAddress.init(text:)) + (listening.map { [$0] } ?? []))
    }

    /// Whether a `Host` header names this server, whatever its port: a tunnel or a proxy may have another.
    package func accepts(_ field: String) -> Bool {
        guard let host = Self.host(of: field) else { return false }
        if names.contains(host) { return true }
        guard let address = PeerAddress(text: host) else { return false }
        return takesAnyAddress || address.isLoopback || addresses.contains(address)
    }

    /// Whether a `Host` header names the machine that it was sent on.
    static func isLoopback(_ field: String) -> Bool {
        guard let host = host(of: field) else { return false }
        return host == "localhost" || PeerAddress(text: host)?.isLoopback == true
    }

    /// Like ``accepts(_:)``, but also true for the health checks, which monitoring often asks for by a name of its own: they tell nothing
    /// but how the server is, and tell it to anybody who can reach them anyway.
    package func accepts(_ field: String, target: String) -> Bool {
        accepts(field) || target == "/healthz/live" || target == "/healthz/ready"
    }

    /// The host of `host`, `host:port` or `[address]:port` in lower case, without a final dot or a zone; nil for anything else.
    private static func host(of field: String) -> String? {
        var host = Substring(field)
        var port = Substring()
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            port = host[host.index(after: end)...]
            host = host[..<end].dropFirst()
            // A link-local address may name the interface it is reached through (RFC 6874); that says nothing about whose address it is.
            host = host.prefix { $0 != "%" }
            guard host.contains(":") else { return nil }
        } else if let colon = host.firstIndex(of: ":") {
            port = host[colon...]
            host = host[..<colon]
        }
        guard port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        if host.last == ".", !host.hasSuffix("..") { host = host.dropLast() }
        return host.isEmpty ? nil : host.lowercased()
    }
}
