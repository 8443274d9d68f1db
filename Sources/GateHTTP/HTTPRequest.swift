/// One complete request, as a responder gets it.
package struct HTTPRequest: Sendable {
    /// How many pairs of a query are read; any after these are left out.
    package static let maximumParameters = 256

    package let method: HTTPMethod
    /// As it was sent: still percent-encoded, without the query; begins with `/` (or is `*` for OPTIONS). `Router` decodes its segments.
    package let path: String
    /// The query's pairs in order, each decoded once, `+` as a space. A pair with a bad escape, a NUL or bytes that are not UTF-8 is
    /// left out: callers of feeds must never see an error for a parameter.
    package let query: [(name: String, value: String)]
    /// The query as it was sent, where that is known; for code that must tell callers apart.
    package let rawQuery: [UInt8]
    package let headers: HTTPHeaders
    /// The body with any chunked coding removed; empty where there is none.
    package let body: [UInt8]
    package let peer: PeerAddress
    /// Names this request in logs, problems and history: 16 hexadecimal digits, unique within one run of the server.
    package let id: String

    package init(
        method: HTTPMethod,
        path: String,
        query: [(name: String, value: String)] = [],
        rawQuery: [UInt8] = [],
        headers: HTTPHeaders = [:],
        body: [UInt8] = [],
        peer: PeerAddress = PeerAddress(bytes: [127, 0, 0, 1]),
        id: String = "0000000000000000"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.rawQuery = rawQuery
        self.headers = headers
        self.body = body
        self.peer = peer
        self.id = id
    }

    /// The same request with its body.
    package func with(body: [UInt8]) -> HTTPRequest {
        HTTPRequest(method: method, path: path, query: query, rawQuery: rawQuery, headers: headers, body: body, peer: peer, id: id)
    }

    /// The value of the first parameter of that name, or nil.
    package func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
