#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The party an address stands for. A home or a phone has a whole /64 of IPv6 to itself, and a company or a rented server often a /48.
struct NetworkPlace: Equatable {
    /// The address itself, or its /64.
    let network: String
    /// The /48 around it; nil for IPv4, where a block says nothing about who is in it.
    let site: String?

    /// How many places in a line one site can take.
    private static let sharesOfASite: UInt = 64

    /// Whose place in a ``WaitingLine`` it is: the network's, or that of the part of its site that it falls into. A site has 65,536
    /// networks, and each with a place of its own would push everybody else out of the line.
    var share: String { site.map { "\($0) \(UInt(bitPattern: network.hashValue) % Self.sharesOfASite)" } ?? network }

    init(_ address: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &bytes) == 1 else {
            (network, site) = (address, nil)
            return
        }
        func prefix(_ groups: Int) -> String {
            let texts = (0..<groups).map { String(Int(bytes[2 * $0]) << 8 | Int(bytes[2 * $0 + 1]), radix: 16) }
            return texts.joined(separator: ":") + "::/\(groups * 16)"
        }
        (network, site) = (prefix(4), prefix(3))
    }
}
