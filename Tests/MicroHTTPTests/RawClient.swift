import Glibc
import Testing

/// A client that sends exactly the bytes it is given, so that it can send what no client library would.
final class RawClient {
    struct Failure: Error {
        let what: String
    }

    struct Answer {
        let status: Int
        /// Names in lower case.
        let headers: [(name: String, value: String)]
        let body: [UInt8]

        subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
        var text: String { String(decoding: body, as: UTF8.self) }
        var closes: Bool { self["connection"]?.lowercased() == "close" }
    }

    /// Seconds.
    private static let patience = 60

    let descriptor: Int32
    private var received: [UInt8] = []

    /// - Parameters:
    ///   - receiveBufferBytes: small to make the server wait for this client.
    ///   - host: the last number of the loopback address that it comes from, to seem to be somebody else.
    init(port: UInt16, receiveBufferBytes: Int32? = nil, host: UInt32 = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(what: "no socket") }
        // Else every small write after another would wait for the first one's acknowledgement.
        var noDelay: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        if var size = receiveBufferBytes { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
        // A server that hangs is a test that fails, and not one that never ends.
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        if host != 1 {
            address.sin_addr.s_addr = (0x7f00_0000 + host).bigEndian
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
            guard bound == 0 else { throw Failure(what: "cannot come from 127.0.0.\(host)") }
        }
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard connected == 0 else { throw Failure(what: "cannot connect: \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(descriptor)
    }

    /// - Returns: false when the connection is broken.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EAGAIN { Issue.record("the server read nothing for \(Self.patience) s") }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Says that nothing more will be sent.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Waits for more bytes.
    /// - Returns: false at the end of the stream, in order or broken.
    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { Issue.record("the server sent nothing for \(Self.patience) s, and did not end") }
        guard count > 0 else { return false }
        received.append(contentsOf: buffer.prefix(count))
        return true
    }

    /// Reads one answer, waiting for it.
    /// - Parameter hasBody: false after HEAD. 204 and 304 are known to have none.
    func read(hasBody: Bool = true) throws -> Answer {
        let headEnd = try self.headEnd()
        let head = String(decoding: received[..<headEnd], as: UTF8.self)
        received.removeFirst(headEnd + 4)
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst(), first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3)) else {
            throw Failure(what: "no status line: \(head)")
        }
        let headers = lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: parts[0].lowercased(), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        let bodyCount = hasBody && status != 204 && status != 304 && status >= 200 ? length : 0
        while received.count < bodyCount {
            guard receive() else { throw Failure(what: "the stream ended in a body") }
        }
        let body = Array(received.prefix(bodyCount))
        received.removeFirst(bodyCount)
        return Answer(status: status, headers: headers, body: body)
    }

    private func headEnd() throws -> Int {
        while true {
            if let end = received.indices.dropLast(3).first(where: { received[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }) {
                return end
            }
            guard receive() else { throw Failure(what: "the stream ended before an answer: \(String(decoding: received, as: UTF8.self))") }
        }
    }

    /// Sends a request and reads its answer.
    func get(_ path: String, _ headers: String = "") throws -> Answer {
        send("GET \(path) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n")
        return try read()
    }

    /// Waits for the server's end of the stream.
    /// - Returns: what came before it, beyond the answers already read.
    func readToEnd() -> String {
        while receive() {}
        return String(decoding: received, as: UTF8.self)
    }
}
