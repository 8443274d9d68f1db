/// Which of several answers of an address a request is given: chosen for each one, while the address goes over slowly from one to another.
package protocol ResponseChoice: AnyObject, Sendable {
    /// The ready-made answer to GET and HEAD. This is the way of polls: bounded work, nothing that blocks. Any thread.
    /// - Parameters:
    ///   - query: what stands behind the `?` as sent, percent-encoded; empty for none, valid only during the call.
    ///   - sender: bytes that tell one caller's address from another's; asked for only where something depends on it.
    ///   - isPoll: whether this is a GET where polls are counted; else nothing is.
    /// - Returns: nil where there is nothing at the address for this caller.
    func response(to query: UnsafeRawBufferPointer, from sender: () -> [UInt8], isPoll: Bool) -> PreparedResponse?
}

extension ResponseChoice {
    /// The answer to a request that came whole.
    package func response(to request: HTTPRequest, isPoll: Bool) -> PreparedResponse? {
        // Where the query is not known as it was sent, its pairs say the same.
        let query =
            request.rawQuery.isEmpty ? Array(request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8) : request.rawQuery
        return query.withUnsafeBytes { response(to: $0, from: { request.headers.sender(at: request.peer) }, isPoll: isPoll) }
    }
}

extension HTTPHeaders {
    /// What tells one caller's address from another's: the first of `X-Forwarded-For`, which a proxy in front writes; the other end of the connection
    /// where there is none. Never for deciding what somebody may do: whoever sends the field chooses what it says.
    package func sender(at peer: PeerAddress) -> [UInt8] {
        guard let first = self["X-Forwarded-For"]?.utf8.prefix(while: { $0 != UInt8(ascii: ",") }), !first.isEmpty else {
            return peer.bytes
        }
        return Array(first)
    }
}
