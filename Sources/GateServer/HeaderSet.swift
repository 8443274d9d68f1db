import GateFeeds
package import GateHTTP

/// The headers of each class of answer, kept in one place so that no answer lacks one.
package enum HeaderSet {
    /// See ``FeedHeaders``.
    package static let feed: HTTPHeaders = [
        "Content-Type": FeedHeaders.contentType, "Cache-Control": FeedHeaders.cacheControl, "Access-Control-Allow-Origin": "*",
    ]

    /// For a feed that says different things to different callers: no cache may give one caller's answer to another.
    static let openingFeed = feed + ["Cache-Control": "no-store"]

    /// The same for a native feed with its signature, a header that browsers let pages read only if the answer says so.
    /// - Parameter headers: those of the feed without its signature.
    static func feed(signed line: String, _ headers: HTTPHeaders) -> HTTPHeaders {
        var headers = headers
        headers.set(signatureField, line)
        headers.set("Access-Control-Expose-Headers", signatureField)
        return headers
    }

    static let signatureField = "Gatehouse-Signature"

    /// A signature by itself, for caches that drop headers.
    /// - Parameter headers: those of the feed.
    static func signature(beside headers: HTTPHeaders) -> HTTPHeaders {
        feed + ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": headers["Cache-Control"] ?? "no-store"]
    }

    /// An error on a feed's URL: text, never JSON, because clients would obey a JSON body whatever the status (wire formats 6.1 item 8).
    package static let feedError: HTTPHeaders = ["Cache-Control": "no-store", "Access-Control-Allow-Origin": "*"]

    /// Answers of the OpenFeature protocol: no cache keeps a POST, and the caller compares the `ETag` itself, in a browser too.
    package static let evaluation: HTTPHeaders = [
        "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag",
    ]

    /// A feed that is tried out: nobody may keep it or pass its address on, because whoever knows the address can read it.
    static let rehearsal: HTTPHeaders = ["Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"]

    /// What every answer of the admin listener carries (ASVS 5.0 chapter 3; reliability section 5).
    package static let admin: HTTPHeaders = [
        "Content-Security-Policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    ]

    /// Answers that no cache may keep.
    package static let api = admin + ["Cache-Control": "no-store"]

    /// The dashboard's page, which no cache may keep (reliability section 5): it names the files of one release.
    package static let page = api

    /// The dashboard's files: cached, but revalidated every time, so that a new version is used at once.
    package static let file = admin + ["Cache-Control": "no-cache"]

    /// Files at an address that carries a digest of them: cached for a year, which is as long as caches are asked to keep anything
    /// (RFC 9111 1.2.1), and never revalidated (RFC 8246).
    package static let lasting = admin + ["Cache-Control": "public, max-age=31536000, immutable"]
}

extension HTTPResponse {
    /// The same answer with headers besides its own. A ready-made answer becomes one that is made for this request.
    func adding(_ others: HTTPHeaders) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers + others, body: body, closesConnection: closesConnection)
    }
}

extension HTTPHeaders {
    static func + (one: HTTPHeaders, other: HTTPHeaders) -> HTTPHeaders {
        var headers = one
        for field in other { headers.set(field.name, field.value) }
        return headers
    }
}
