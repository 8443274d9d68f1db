import Glibc
import Synchronization

/// TCP in front of a server's Unix socket, which can fall silent: connections stay, and nothing crosses them in either direction.
final class TestProxy: Sendable {
    struct Failure: Error {
        let what: String
    }

    private struct State {
        var isSilent = false
        var isEnded = false
        /// Written to when the state changes: one for each thread.
        var alarms: [Int32] = []
    }

    private let listener: Int32
    let port: UInt16
    private let target: String
    private let state = Mutex(State())

    init(to target: String) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure(what: String(cString: strerror(errno))) }
        port = UInt16(bigEndian: address.sin_port)
        Self.thread { [self] in accept() }
    }

    /// From now on nothing is forwarded, and what comes is not read.
    func fallSilent() { change { $0.isSilent = true } }

    func speakAgain() { change { $0.isSilent = false } }

    /// Breaks all connections, and takes no more.
    func end() {
        // Once: after it the number may be of another socket.
        guard !state.withLock({ $0.isEnded }) else { return }
        change { $0.isEnded = true }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            for alarm in state.alarms { _ = send(alarm, "x", 1, Int32(MSG_NOSIGNAL)) }
        }
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: target.utf8) }
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
            var alarm: [Int32] = [-1, -1]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &alarm)
            let (bell, rope) = (alarm[0], alarm[1])
            state.withLock { $0.alarms.append(rope) }
            Self.thread { [self] in forward(client, server, bell) }
        }
        close(listener)
    }

    private func forward(_ client: Int32, _ server: Int32, _ bell: Int32) {
        defer { for descriptor in [client, server] { close(descriptor) } }
        while true {
            let (isSilent, isEnded) = state.withLock { ($0.isSilent, $0.isEnded) }
            if isEnded { return }
            var descriptors = [bell, client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&descriptors, isSilent ? 1 : 3, -1) > 0 else { continue }
            if descriptors[0].revents != 0 {
                var byte: UInt8 = 0
                recv(bell, &byte, 1, 0)
                continue
            }
            for (from, to) in [(1, server), (2, client)] where descriptors[from].revents != 0 {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = recv(descriptors[from].fd, &buffer, buffer.count, 0)
                guard count > 0, send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
            }
        }
    }

    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func thread(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            },
            Unmanaged.passRetained(Work(run)).toOpaque()
        )
        pthread_detach(thread)
    }
}
