import Foundation
import Synchronization

/// Stands between gatectl and a server and does what networks and tired servers do; remembers what was asked.
final class StubServer: Sendable {
    /// What to do with a connection once its request has been read.
    enum Answer: Sendable {
        case bytes(String)
        /// Close without a word.
        case hangUp
        /// Never answer.
        case silence
        /// What a real server answers.
        case forward(to: String)
        /// Let a real server do it, and lose its answer.
        case forwardAndHangUp(to: String)
    }

    let address: String
    private let descriptor: Int32
    private let seen = Mutex<[String]>([])

    /// The requests so far, whole.
    var requests: [String] { seen.withLock { $0 } }

    /// - Parameter answer: decides by the request and by how many came before it.
    init(_ answer: @escaping @Sendable (_ request: String, _ count: Int) -> Answer) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw HarnessError("no listening socket") }
        address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
        Thread { [weak self] in
            var silent: [Int32] = []
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let self else { break }
                let request = Self.read(connection)
                let count = self.seen.withLock { seen in
                    seen.append(request)
                    return seen.count - 1
                }
                switch answer(request, count) {
                case .bytes(let text): Self.write(connection, text)
                case .hangUp: break
                case .silence:
                    silent.append(connection)
                    continue
                case .forward(let address): Self.write(connection, Self.ask(address, request))
                case .forwardAndHangUp(let address): _ = Self.ask(address, request)
                }
                close(connection)
            }
            for connection in silent { close(connection) }
        }.start()
    }

    deinit {
        hangUp()
        close(descriptor)
    }

    /// Takes no more connections, and closes those that are waiting for an answer.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// An answer with a JSON body.
    static func json(_ status: String, _ body: String, headers: String = "") -> Answer {
        .bytes(
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(headers)Connection: close\r\n\r\n\(body)"
        )
    }

    /// The head and the body that its Content-Length promises.
    private static func read(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end.lowerBound].lowercased()
                let length =
                    head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }.flatMap {
                        Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces))
                    } ?? 0
                if text[end.upperBound...].utf8.count >= length { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            bytes += buffer.prefix(count)
        }
    }

    /// The whole answer of a server to a request, which goes out as it is.
    static func ask(_ address: String, _ request: String) -> String {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        // A server that never answers shows as an answer that is missing.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        name.sin_port = (UInt16(address.split(separator: ":").last ?? "") ?? 0).bigEndian
        let isConnected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected, let line = request.range(of: "\r\n") else { return "" }
        write(connection, request.replacingCharacters(in: line, with: "\r\nConnection: close\r\n"))
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }

    private static func write(_ connection: Int32, _ text: String) {
        var bytes = Array(text.utf8)
        _ = send(connection, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
