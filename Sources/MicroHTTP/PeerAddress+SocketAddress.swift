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
}
