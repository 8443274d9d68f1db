import GateHTTP
import Glibc

extension PeerAddress {
    /// The address of an IPv4 or IPv6 socket; nil for another kind.
    init?(socketAddress: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(socketAddress)
        // The family comes first in every kind of socket address.
        switch Int32(raw.load(as: sa_family_t.self)) {
        case AF_INET:
            self.init(bytes: withUnsafeBytes(of: raw.load(as: sockaddr_in.self).sin_addr) { Array($0) })
        case AF_INET6:
            self.init(bytes: withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { Array($0) })
        default:
            return nil
        }
    }

    /// What counts as one caller where callers are counted: an IPv4 address, or the /64 of an IPv6 one, since nobody has less than a /64.
    /// No number stands for both: IPv4 addresses lie where IPv6 has none. Made for every connection, so without an array.
    static func neighbourhood(of socketAddress: UnsafePointer<sockaddr>) -> UInt64 {
        let raw = UnsafeRawPointer(socketAddress)
        let version4: UInt64 = 0x0000_ffff_0000_0000
        switch Int32(raw.load(as: sa_family_t.self)) {
        case AF_INET:
            return version4 | UInt64(UInt32(bigEndian: raw.load(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            return withUnsafeBytes(of: raw.load(as: sockaddr_in6.self).sin6_addr) { bytes in
                let prefix = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
                let isMapped = prefix == 0 && UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) == 0xffff
                return isMapped ? version4 | UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))) : prefix
            }
        default:
            return 0
        }
    }
}
