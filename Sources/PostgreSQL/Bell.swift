import Glibc

/// What wakes a thread that waits on a socket: a pair of sockets, which stays rung until it was heard. Thread rule: any.
final class Bell: Sendable {
    /// Readable when it was rung.
    let descriptor: Int32
    private let rope: Int32

    /// - Throws: ``PostgresError/Kind/outOfResources`` when the process may not open two more files. A wait that cannot be ended must not begin.
    init() throws(PostgresError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw PostgresError(.outOfResources, "no sockets: \(String(cString: strerror(errno)))")
        }
        (descriptor, rope) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(rope)
    }

    /// One that takes no more is rung already.
    func ring() {
        var byte: UInt8 = 1
        _ = write(rope, &byte, 1)
    }

    /// Takes all ringing until now together.
    func hear() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
