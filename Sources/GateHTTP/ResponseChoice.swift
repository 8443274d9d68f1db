/// Chooses, for each request, which of an address's answers it gets while the address moves slowly from one answer to another.
package protocol ResponseChoice: AnyObject, Sendable {
    /// The ready-made answer to GET and HEAD. Polls go this way: bounded work, nothing that blocks. Any thread.
    /// - Parameters:
    ///   - query: what follows the `?`, as sent, percent-encoded; empty for none, valid only during the call.
    ///   - sender: bytes that tell one caller's address from another's; asked for only where something depends on it.
    ///   - isPoll: whether this is a GET on a listener that counts polls; otherwise nothing is counted.
    /// - Returns: nil where there is nothing at the address for this caller.
    func response(to query: UnsafeRawBufferPointer, from sender: () -> [UInt8], isPoll: Bool) -> PreparedResponse?
}

extension ResponseChoice {
    /// The answer to a request that arrived complete.
    package func response(to request: HTTPRequest, isPoll: Bool) -> PreparedResponse? {
        // Where the query as sent is not known, its pairs say the same, encoded again: a value may have an ampersand.
        let query = request.rawQuery.isEmpty ? Self.encoded(request.query) : request.rawQuery
        return query.withUnsafeBytes { response(to: $0, from: { request.headers.sender(at: request.peer) }, isPoll: isPoll) }
    }

    private static func encoded(_ query: [(name: String, value: String)]) -> [UInt8] {
        let pairs = query.map { PercentEncoding.encode($0.name) + [UInt8(ascii: "=")] + PercentEncoding.encode($0.value) }
        return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
    }
}

extension HTTPHeaders {
    /// Tells one caller's address from another's: the first entry of `X-Forwarded-For`, which a proxy in front writes, or else the other
    /// end of the connection. Never use it to decide what somebody may do: whoever sends the field chooses what it says.
    package func sender(at peer: PeerAddress) -> [UInt8] {
        guard let first = self["X-Forwarded-For"]?.utf8.prefix(while: { $0 != UInt8(ascii: ",") }), !first.isEmpty else {
            return peer.bytes
        }
        return Array(first)
    }
}
