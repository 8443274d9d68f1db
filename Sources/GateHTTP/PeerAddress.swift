#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The address at the other end of the connection itself: what the kernel says, never what a header claims.
///
/// Its port is left out: nothing is decided by it, and throttles and logs must see one caller as one.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four bytes (IPv4) or sixteen (IPv6), in network order. An IPv4 address that came as `::ffff:a.b.c.d` is four bytes here,
    /// so that no rule can be evaded by writing an address the other way.
    package let bytes: [UInt8]

    /// - precondition: four or sixteen bytes.
    package init(bytes: [UInt8]) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        self.bytes = bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }

    /// An address as written in a configuration: `192.0.2.7` or `2001:db8::7`, without brackets or port. Nil when it is neither.
    package init?(text: String) {
        var buffer = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &buffer) == 1 {
            self.init(bytes: Array(buffer.prefix(4)))
        } else if inet_pton(AF_INET6, text, &buffer) == 1 {
            self.init(bytes: buffer)
        } else {
            return nil
        }
    }

    /// The customary text: `192.0.2.7`, `2001:db8::7`.
    package var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "unknown" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// True for 127.0.0.0/8 and `::1`.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    package var description: String { text }
}
