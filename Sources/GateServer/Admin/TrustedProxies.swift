import GateHTTP

/// The addresses that are believed about the sender of a request; all others are not (ASVS 5.0 section 4.1).
package struct TrustedProxies: Sendable, Equatable {
    /// A block of addresses in CIDR notation (RFC 4632, RFC 4291 section 2.3).
    private struct Block: Sendable, Equatable {
        let bytes: [UInt8]
        let prefix: Int

        /// - Parameter bit: counted from the first, which is 0.
        func isSet(_ bit: Int) -> Bool { bytes[bit / 8] & 0x80 >> UInt8(bit % 8) != 0 }

        func contains(_ address: PeerAddress) -> Bool {
            guard address.bytes.count == bytes.count else { return false }
            for (index, pair) in zip(address.bytes, bytes).enumerated() {
                let bits = min(8, max(0, prefix - 8 * index))
                let mask = UInt8(truncatingIfNeeded: 0xff00 >> bits)
                guard pair.0 & mask == pair.1 & mask else { return false }
            }
            return true
        }
    }

    private let blocks: [Block]

    /// Nobody.
    package static let none = TrustedProxies(blocks: [])

    private init(blocks: [Block]) { self.blocks = blocks }

    /// - Parameter texts: blocks such as `10.0.0.0/8` or `2001:db8::/32`, or single addresses.
    /// - Throws: the first text that is neither.
    package init(_ texts: [String]) throws(NoBlock) {
        var blocks: [Block] = []
        for text in texts {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = PeerAddress(text: String(parts[0])) else { throw NoBlock(text: text) }
            let most = address.bytes.count * 8
            var prefix = most
            if parts.count == 2 {
                guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = Int(parts[1]), number <= most else {
                    throw NoBlock(text: text)
                }
                prefix = number
            }
            blocks.append(Block(bytes: address.bytes, prefix: prefix))
        }
        self.blocks = blocks
    }

    /// A text that is not a block of addresses.
    package struct NoBlock: Error, Sendable, CustomStringConvertible {
        package let text: String
        package var description: String { "\"\(text)\" is not a block of addresses such as 10.0.0.0/8 or 2001:db8::/32." }
    }

    /// Whether the blocks together cover all addresses of a kind, IPv4 or IPv6.
    var includesEverybody: Bool { [4, 16].contains { bytes in Self.coverAll(blocks.filter { $0.bytes.count == bytes }, from: 0) } }

    /// - Parameters:
    ///   - blocks: of one kind, and alike in all bits before `bit`.
    ///   - bit: from this one on they must cover everything.
    private static func coverAll(_ blocks: [Block], from bit: Int) -> Bool {
        if blocks.contains(where: { $0.prefix <= bit }) { return true }
        guard !blocks.isEmpty else { return false }
        let (low, high) = (blocks.filter { !$0.isSet(bit) }, blocks.filter { $0.isSet(bit) })
        return coverAll(low, from: bit + 1) && coverAll(high, from: bit + 1)
    }

    func contains(_ address: PeerAddress) -> Bool { blocks.contains { $0.contains(address) } }

    /// Whether a request says whom it was forwarded for but comes from a peer that is not trusted.
    func isUndeclared(_ request: HTTPRequest) -> Bool { request.headers["X-Forwarded-For"] != nil && !contains(request.peer) }

    /// Who sent `request`.
    /// - Parameter isSecure: whether the server itself is reached by https.
    func sender(of request: HTTPRequest, isSecure: Bool) -> Sender {
        // A request that bears any sign of a proxy, even of one that is not trusted, must not count as coming from this machine.
        let isForwarded = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"].contains {
            request.headers[$0] != nil
        }
        guard contains(request.peer) else {
            return Sender(address: request.peer, isLoopback: request.peer.isLoopback && !isForwarded, isSecure: isSecure)
        }
        let proto = Self.hops("X-Forwarded-Proto", request).last
        return Sender(
            address: client(of: request),
            isLoopback: request.peer.isLoopback && !isForwarded,
            isSecure: isSecure || proto?.lowercased() == "https"
        )
    }

    /// The right-most hop that is not one of ours: whatever stands to its left is only what that hop claimed.
    private func client(of request: HTTPRequest) -> PeerAddress {
        var nearest = request.peer
        for hop in Self.hops("X-Forwarded-For", request).reversed() {
            // Nothing can be known beyond a hop that is not an address, so the last hop that was one stands for the client.
            guard let address = Self.address(hop) else { break }
            nearest = address
            guard contains(address) else { break }
        }
        return nearest
    }

    /// The elements of a list field, however many fields it was spread over.
    private static func hops(_ name: String, _ request: HTTPRequest) -> [Substring] {
        request.headers.values(of: name).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.drop { $0 == " " || $0 == "\t" }.trimmingEnd() }
    }

    /// `192.0.2.7`, `2001:db8::7`; some proxies add a port: `192.0.2.7:4711`, `[2001:db8::7]:4711`.
    private static func address(_ text: Substring) -> PeerAddress? {
        if let address = PeerAddress(text: String(text)) { return address }
        if text.first == "[", let end = text.firstIndex(of: "]") {
            return PeerAddress(text: String(text[text.index(after: text.startIndex)..<end]))
        }
        guard let colon = text.firstIndex(of: ":"), text[text.index(after: colon)...].utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
            return nil
        }
        return PeerAddress(text: String(text[..<colon]))
    }
}

/// Where a request came from, as far as the server believes it: for throttles, the audit, and what only this machine itself may do.
struct Sender: Sendable, Equatable {
    let address: PeerAddress
    /// Whether it came from this very machine and not through a proxy on it.
    let isLoopback: Bool
    /// Whether the browser speaks https, to this server or to the proxy in front of it.
    let isSecure: Bool
}

extension Substring {
    fileprivate func trimmingEnd() -> Substring {
        var text = self
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
