import Foundation

/// A connection that sends exactly the bytes it is given and reads whatever comes. It waits ten seconds at most: a server that hangs shows
/// as a missing answer, not as a test that never ends.
final class RawConnection {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// - Parameter address: `http://127.0.0.1:1234`.
    init(to address: String) throws {
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw HarnessError("\(address) is no address") }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        name.sin_port = port.bigEndian
        let isConnected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw HarnessError("no connection to \(address): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// - Returns: false when the connection is broken or nobody reads.
    @discardableResult
    func send(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// The status of each answer, of so many at most; fewer where the stream ends or nothing comes for ten seconds.
    func statuses(_ count: Int = .max) -> [Int] {
        let mark = Array("HTTP/1.1 ".utf8)
        var found: [Int] = []
        var place = 0
        while found.count < count {
            if let start = received[place...].firstRange(of: mark)?.upperBound, start + 3 <= received.count {
                found.append(Int(String(decoding: received[start..<start + 3], as: UTF8.self)) ?? 0)
                place = start
                continue
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let read = recv(descriptor, &buffer, buffer.count, 0)
            guard read > 0 else { break }
            received += buffer.prefix(read)
        }
        received.removeFirst(place)
        return found
    }

    /// The next answer; nil where the stream ends or nothing comes for ten seconds.
    func answer() -> (status: Int, head: String, body: String)? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let gap = received.firstRange(of: end) {
                let head = String(decoding: received[..<gap.lowerBound], as: UTF8.self)
                let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                let status = Int(head.dropFirst(9).prefix(3)) ?? 0
                let count = status == 304 ? 0 : length.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                if received.count >= gap.upperBound + count {
                    let body = String(decoding: received[gap.upperBound..<gap.upperBound + count], as: UTF8.self)
                    received.removeFirst(gap.upperBound + count)
                    return (status, head, body)
                }
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let read = recv(descriptor, &buffer, buffer.count, 0)
            guard read > 0 else { return nil }
            received += buffer.prefix(read)
        }
    }
}
