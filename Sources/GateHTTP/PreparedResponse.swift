import Synchronization

/// A response made once and sent many times: a feed, a file of the dashboard. One object answers GET with 200, HEAD, and 304.
///
/// Immutable, so any number of threads may answer with it at once, and whoever holds it sees the same bytes for ever; what
/// replaces it is another object.
package final class PreparedResponse: Sendable {
    package let body: [UInt8]
    /// With the `ETag`, without the fields that are the adapter's own (`Content-Length`, `Date`, `Connection`).
    package let headers: HTTPHeaders
    /// A strong entity tag with its quotes: `"5f2c…"`.
    package let etag: String
    /// `etag` as bytes, for comparing without a `String`.
    package let etagBytes: [UInt8]

    /// What the server beneath keeps for this response; empty until it is first sent.
    package let attachment = ResponseAttachment()

    /// How often it was given to GET; the one thing about it that changes.
    package let polls: PollCounters

    /// What its address answers to requests with a query; nil where a query changes nothing.
    package let variants: (any ResponseVariants)?

    /// Chooses the answer to each request; nil for a response that is itself the answer. A response that has a choice is never sent.
    package let choice: (any ResponseChoice)?

    /// - Parameters:
    ///   - etag: the opaque tag without quotes, made of letters, digits, `-` and `_`; by custom a hash of the bytes.
    ///   - headers: any others; an `ETag` among them is replaced.
    ///   - polls: counts how often it was given; by default counters of its own, shared with no other response.
    /// - precondition: the tag has only those characters, because it is pasted between quotes, and every header can be sent
    ///   (``HTTPHeaders/Field/isSendable``).
    package init(
        body: [UInt8],
        etag: String,
        headers: HTTPHeaders,
        polls: PollCounters = PollCounters(),
        variants: (any ResponseVariants)? = nil,
        choice: (any ResponseChoice)? = nil
    ) {
        precondition(
            !etag.isEmpty && etag.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2d || $0 == 0x5f },
            "an entity tag is letters, digits, - and _"
        )
        precondition(headers.allSatisfy(\.isSendable), "a header is a token and a value without CR, LF, NUL or another control character")
        self.body = body
        self.polls = polls
        self.variants = variants
        self.choice = choice
        self.etag = "\"\(etag)\""
        etagBytes = Array(self.etag.utf8)
        var headers = headers
        headers.set("ETag", self.etag)
        self.headers = headers
    }
}

/// The one place on a `PreparedResponse` where the server beneath keeps its own form of it.
///
/// Filled at most once, never changed, released together with the response. Reading is one load, because it is done for every poll.
package struct ResponseAttachment: ~Copyable, Sendable {
    private let word = Atomic<UInt>(0)
    private let owner = Mutex<(any AnyObject & Sendable)?>(nil)

    init() {}

    /// What was attached, or 0. The owner given with it lives as long as the response does.
    @inline(__always)
    package var value: UInt {
        word.load(ordering: .acquiring)
    }

    /// Attaches what `make` returns, unless another thread was first; `make` runs at most once in the response's life if it succeeds.
    /// - Returns: what is attached now; 0 when `make` gave nil.
    package func attach(_ make: () -> (value: UInt, owner: any AnyObject & Sendable)?) -> UInt {
        owner.withLock { kept in
            let present = word.load(ordering: .relaxed)
            if present != 0 { return present }
            guard let made = make() else { return 0 }
            kept = made.owner
            word.store(made.value, ordering: .releasing)
            return made.value
        }
    }
}
