import Foundation

/// A port at which somebody listens who takes no more connections: one more waits for its handshake for ever.
final class FullServer: Sendable {
    let address: String
    private let descriptors: [Int32]

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        func withName(_ call: (UnsafeMutablePointer<sockaddr>) -> Int32) -> Int32 {
            withUnsafeMutablePointer(to: &name) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, call) }
        }
        guard withName({ bind(listener, $0, length) }) == 0, listen(listener, 0) == 0, withName({ getsockname(listener, $0, &length) }) == 0
        else {
            throw HarnessError("no listening socket")
        }
        address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
        // Linux takes one connection more than the backlog says, and then lets handshakes wait; some more are begun, to be sure.
        var descriptors = [listener]
        for _ in 1...4 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = withName { connect(descriptor, $0, length) }
            descriptors.append(descriptor)
        }
        self.descriptors = descriptors
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
