/// What a responder answers.
///
/// `Content-Length`, `Date` and `Connection` are the adapter's; setting them here makes the answer a 500. So does a header whose
/// name is not a token or whose value is empty or holds a control character: an answer without one of its headers, say its
/// content security policy, must not leave.
///
/// A GET or HEAD answered 200 with an `ETag` becomes 304 by itself when the request's `If-None-Match` has it.
package struct HTTPResponse: Sendable {
    /// 200–599.
    package var status: Int
    package var headers: HTTPHeaders
    /// Sent for every method but HEAD, whose answer keeps its length. Must be empty for 204.
    package var body: [UInt8]
    /// True ends the connection after this answer. In a refused `Admission` it also means: do not wait for the body.
    package var closesConnection: Bool
    /// Where set, this is the answer (200 or 304), and `headers` and `body` are not looked at.
    package let prepared: PreparedResponse?

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], closesConnection: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
        prepared = nil
    }

    /// Answers with a ready-made response, for the requests that `HTTPResponder.prepared(path:)` is not asked about.
    package init(prepared: PreparedResponse) {
        status = 200
        headers = prepared.headers
        body = prepared.body
        closesConnection = false
        self.prepared = prepared
    }

    /// `text/plain; charset=utf-8` with that text.
    package static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers.set("Content-Type", "text/plain; charset=utf-8")
        return HTTPResponse(status: status, headers: headers, body: Array(text.utf8))
    }
}
