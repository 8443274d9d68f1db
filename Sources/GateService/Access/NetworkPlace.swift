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
