import Foundation
import GateKit
import Synchronization

/// A server on a real socket that does with each connection what a test says, as networks and tired servers do.
final class FaultServer: Sendable {
    /// What is done with one connection, after its request has come.
    struct Line: Sendable {
        let descriptor: Int32
        let request: String

        /// Writes the bytes; false when the other side has gone.
        @discardableResult
        func write(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        @discardableResult
        func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        func answer(_ status: String, _ body: String, _ headers: [String] = []) {
            write(
                (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers).joined(separator: "\r\n")
                    + "\r\n\r\n" + body
            )
        }

        /// Ends the connection so that the other side sees an error, and not an end.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }

        /// Waits until the other side has gone.
        func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }
    }

    typealias Deed = @Sendable (Line) -> Void

    let port: UInt16
    private let listener: Int32
    private let deed: Mutex<Deed>
    private let seen = Mutex<[String]>([])

    var url: URL { URL(string: "http://127.0.0.1:\(port)/feeds/shop/ios/gate.json")! }

    /// The requests so far.
    var requests: [String] { seen.withLock { $0 } }

    func does(_ deed: @escaping Deed) { self.deed.withLock { $0 = deed } }

    init(_ deed: @escaping Deed) throws {
        self.deed = Mutex(deed)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
        port = UInt16(bigEndian: name.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                guard let self else {
                    close(connection)
                    return
                }
                Thread.detachNewThread { [weak self] in
                    defer { close(connection) }
                    let request = Self.head(connection)
                    guard !request.isEmpty, let self else { return }
                    self.seen.withLock { $0.append(request) }
                    self.deed.withLock { $0 }(Line(descriptor: connection, request: request))
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func head(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("\r\n\r\n") { return text }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            bytes += buffer.prefix(count)
        }
    }
}
