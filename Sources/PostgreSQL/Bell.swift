import Glibc

/// Wakes a thread that waits on a socket: a pair of sockets that stays rung until it is heard. Thread rule: any thread.
final class Bell: Sendable {
    /// Readable once the bell has rung.
    let descriptor: Int32
    private let rope: Int32

    /// - Throws: ``PostgresError/Kind/outOfResources`` when the process may not open two more files. A wait that nobody can end must not
    ///   begin.
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

    /// A full socket takes no more bytes, but is rung already.
    func ring() {
        var byte: UInt8 = 1
        _ = write(rope, &byte, 1)
    }

    /// Clears all ringing so far.
    func hear() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
