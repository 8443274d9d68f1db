import GateHTTP

/// Answers about feed paths that both listeners share.
enum FeedAnswer {
    /// What is at a feed's address, for phones.
    static func poll(of table: FeedTable) -> Admission { admission { answer($0, from: table, countsPolls: true) } }

    /// The same at the admin listener, where people have a look: the same bytes, not counted, with the headers that every answer has there.
    static func look(at table: FeedTable) -> Admission {
        admission { answer($0, from: table, countsPolls: false).adding(HeaderSet.admin) }
    }

    private static func admission(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) -> Admission {
        Admission(pattern: "/feeds", maximumBodyBytes: 0, .admitted(answer))
    }

    private static let methods = "GET, HEAD, OPTIONS"

    /// There is no feed (404), or it cannot be told at the moment (503); then a client that has an older copy goes on with it.
    static func nothing(at path: String, in table: FeedTable) -> HTTPResponse {
        guard table.mayHave(path) else { return .text("There is no feed at this address.\n", status: 404, headers: HeaderSet.feedError) }
        return .text("The feed cannot be read at the moment.\n", status: 503, headers: HeaderSet.feedError + ["Retry-After": "5"])
    }

    /// Whether a request target, as it was sent, is a feed's address: it may name a host, or be anything at all.
    static func isFeed(target: String) -> Bool {
        if target.hasPrefix("/") { return target.hasPrefix("/feeds/") }
        guard let scheme = target.firstRange(of: "://"), let slash = target[scheme.upperBound...].firstIndex(of: "/") else { return false }
        return target[slash...].hasPrefix("/feeds/")
    }

    /// What the edge refused at a feed's address: this is text too, because some clients obey a JSON body whatever the status.
    static func refusal(_ refusal: EdgeRefusal) -> HTTPResponse { refusal.plainText.adding(HeaderSet.feedError) }

    /// The answer for any path: that of a feed, the listener's own, or that nothing is there.
    private static func answer(_ request: HTTPRequest, from table: FeedTable, countsPolls: Bool) -> HTTPResponse {
        found(request, in: table, countsPolls: countsPolls) ?? nothing(at: request.path, in: table)
    }

    /// The answer for a path that has a feed, or for the listener's own; nil for any other path.
    private static func found(_ request: HTTPRequest, in table: FeedTable, countsPolls: Bool) -> HTTPResponse? {
        var path = request.path
        let feed = path.withUTF8 { table.response(at: UnsafeRawBufferPointer($0)) }
        if feed == nil {
            guard request.path == "/healthz/live" else { return request.method == .options ? options : nil }
        }
        switch request.method {
        case .get, .head:
            guard let feed else { return .text("ok\n", headers: HeaderSet.feedError) }
            // A query that names nothing we know changes nothing (wire formats 6.1 item 40).
            let isPoll = countsPolls && request.method == .get
            if let choice = feed.choice {
                return choice.response(to: request, isPoll: isPoll).map { HTTPResponse(prepared: $0) }
            }
            let words = request.query.isEmpty ? nil : CallerWords(request.query)
            return HTTPResponse(prepared: words.flatMap { (feed.variants as? any PhoneVariants)?.response(to: $0, isPoll: isPoll) } ?? feed)
        default: return refusal(of: request.method)
        }
    }

    /// The answer to a method that does not read: to a browser's preflight, or a refusal.
    static func refusal(of method: HTTPMethod) -> HTTPResponse {
        if method == .options { return options }
        var headers = HeaderSet.feedError
        headers.append("Allow", methods)
        return .text("A feed is read with GET.\n", status: 405, headers: headers)
    }

    /// The answer to a browser's question before it polls from another origin (Fetch, CORS preflight): 200.
    private static var options: HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                "Allow": methods, "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": methods,
                "Access-Control-Allow-Headers": "If-None-Match, Cache-Control", "Access-Control-Max-Age": "86400",
                "Cache-Control": "no-store",
            ]
        )
    }
}
