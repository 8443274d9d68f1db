import CMicroHTTPD
import GateHTTP

/// Makes the Swift request from what libmicrohttpd holds, for everything but the polls that a ready-made response answers.
struct RequestReader {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    /// The request, before any body has been read.
    /// - Throws: why it is refused.
    func request() throws(EdgeRefusal) -> HTTPRequest {
        let state = exchange.state
        guard let method = state.pointee.method else { throw .unknownMethod }
        guard let path = path(), isQueryReadable else { throw .badTarget }
        let headers = headers()
        // Controls that a header may not hold but libmicrohttpd lets through, a lone CR among them (RFC 9110 section 5.5).
        guard headers.fields.allSatisfy({ $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }) else {
            throw .badFieldValue
        }
        return HTTPRequest(
            method: method,
            path: path,
            query: state.pointee.targetLength == state.pointee.pathLength ? [] : query(),
            rawQuery: exchange.core.readsInPlace ? Array(queryBytes) : [],
            headers: headers,
            peer: peer(),
            id: exchange.id
        )
    }

    /// The raw path, or nil when it cannot be read.
    private func path() -> String? {
        let state = exchange.state
        let offset = state.pointee.pathOffset
        let bytes = UnsafeRawBufferPointer(start: exchange.target + offset, count: state.pointee.pathLength - offset)
        // `http://host` without a path means the root (RFC 9110 section 4.2.3).
        if bytes.isEmpty { return offset > 0 ? "/" : nil }
        return PercentEncoding.isReadable(path: bytes) ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// Whether the query holds only what a target may hold: libmicrohttpd takes everything up to the line's last blank for the target,
    /// other readers only what comes before the first (RFC 9112 section 3.2).
    var isQueryReadable: Bool { !exchange.core.readsInPlace || queryBytes.allSatisfy { $0 > 0x20 && $0 != 0x7f } }

    /// What follows the question mark, raw; empty where there is none. Only where targets are read in place.
    var queryBytes: UnsafeRawBufferPointer {
        let (length, path) = (exchange.state.pointee.targetLength, exchange.state.pointee.pathLength)
        return UnsafeRawBufferPointer(start: exchange.target + min(path + 1, length), count: max(0, length - path - 1))
    }

    /// The header, names and values as sent without the blanks around the values.
    func headers() -> HTTPHeaders {
        var headers = HTTPHeaders()
        withUnsafeMutablePointer(to: &headers) { headers in
            gatehouse_each_header(
                exchange.connection,
                { context, _, name, nameCount, value, valueCount in
                    guard let name, let value else { return 1 }
                    let bytes = UnsafeRawBufferPointer(start: value, count: valueCount)
                    let end = bytes.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
                    context!.assumingMemoryBound(to: HTTPHeaders.self).pointee.append(
                        String(decoding: UnsafeRawBufferPointer(start: name, count: nameCount), as: UTF8.self),
                        String(decoding: bytes[..<end], as: UTF8.self)
                    )
                    return 1
                },
                headers
            )
        }
        return headers
    }

    /// The pairs of the query, as many as anybody can sensibly need. Any after these are left out, as malformed ones are: making thousands
    /// of pairs out of eight kilobytes would cost as much as a hundred polls.
    private func query() -> [(name: String, value: String)] {
        guard exchange.core.readsInPlace else { return libraryQuery() }
        let pairs = queryBytes.split(separator: UInt8(ascii: "&"), maxSplits: HTTPRequest.maximumParameters).prefix(
            HTTPRequest.maximumParameters
        )
        return pairs.compactMap { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true), !name.isEmpty,
                let value = parts.count == 1 ? "" : PercentEncoding.decode(parts[1], plusIsSpace: true)
            else { return nil }
            return (name, value)
        }
    }

    /// libmicrohttpd has split the query at `&` and `=` and turned `+` into spaces; the escapes are decoded here.
    private func libraryQuery() -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &query) { query in
            gatehouse_each_parameter(
                exchange.connection,
                { context, _, name, nameCount, value, valueCount in
                    let name = PercentEncoding.decode(UnsafeRawBufferPointer(start: name, count: nameCount))
                    let value = PercentEncoding.decode(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount))
                    guard let name, let value, !name.isEmpty else { return 1 }
                    context!.assumingMemoryBound(to: [(name: String, value: String)].self).pointee.append((name, value))
                    return 1
                },
                query
            )
        }
        return query
    }

    /// Tells the caller's address from others' (`HTTPHeaders.sender`).
    func sender() -> [UInt8] { headers().sender(at: peer()) }

    /// The other end; found once for each connection.
    private func peer() -> PeerAddress {
        if let known = exchange.state.pointee.peer { return known }
        let peer = gatehouse_peer(exchange.connection).flatMap(PeerAddress.init(socketAddress:)) ?? PeerAddress(bytes: [0, 0, 0, 0])
        exchange.state.pointee.peer = peer
        return peer
    }
}
