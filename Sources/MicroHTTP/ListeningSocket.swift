import GateHTTP
import Glibc

/// The socket a listener accepts on, made here and not by libmicrohttpd so that a taken port is reported as such.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    /// The port that was bound: the one asked for, or the free one found for 0.
    let port: UInt16

    init(address: String, port: UInt16, backlog: Int) throws(HTTPServerError) {
        guard let peer = PeerAddress(text: address) else {
            throw HTTPServerError(.badAddress, "cannot listen on \"\(address)\": write a numeric address such as 127.0.0.1, 0.0.0.0 or ::1")
        }
        let isVersion6 = address.utf8.contains(UInt8(ascii: ":"))
        let descriptor = socket(
            isVersion6 ? AF_INET6 : AF_INET,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw Self.error(errno, address, port) }
        do throws(HTTPServerError) {
            // Only so that a restart need not wait for old connections to leave TIME_WAIT. Never SO_REUSEPORT: with it two
            // servers would share the callers without a word.
            Self.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            var bound: Int32
            if isVersion6 {
                Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address == "::" ? 0 : 1)
                bound = Self.bind(descriptor, version6: address, port)
            } else {
                bound = Self.bind(descriptor, version4: peer.bytes, port)
            }
            if bound == 0 { bound = listen(descriptor, Int32(clamping: backlog)) }
            guard bound == 0, let actual = Self.port(of: descriptor) else { throw Self.error(errno, address, port) }
            self.descriptor = descriptor
            self.port = actual
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func bind(_ descriptor: Int32, version4 bytes: [UInt8], _ port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    private static func bind(_ descriptor: Int32, version6 text: String, _ port: UInt16) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        _ = inet_pton(AF_INET6, text, &address.sin6_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
        }
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let found = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard found == 0 else { return nil }
        // sin_port and sin6_port are at the same place, after the family.
        return withUnsafeBytes(of: &address) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }

    private static func error(_ number: Int32, _ address: String, _ port: UInt16) -> HTTPServerError {
        let place = "\(address) port \(port)"
        return switch number {
        case EADDRINUSE:
            HTTPServerError(.addressInUse, "cannot listen on \(place): another program has it; stop that or choose another port")
        case EADDRNOTAVAIL:
            HTTPServerError(.badAddress, "cannot listen on \(place): this machine does not have that address")
        default:
            HTTPServerError(.cannotListen, "cannot listen on \(place): \(String(cString: strerror(number)))")
        }
    }
}
