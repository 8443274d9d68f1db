import GateHTTP
import Synchronization

/// An object store on a real socket that does as little as such a store may: keeps what is put, and fails as it is told.
final class StoreOfObjects: HTTPResponder {
    struct Stored: Equatable {
        var body: String
        var sequence: Int?
        var contentType = FeedLike.contentType
        var cacheControl = FeedLike.cacheControl
    }

    private struct Contents {
        var objects: [String: Stored] = [:]
        /// What the next requests are answered in place of being done; nil for one that is.
        var failures: [Int?] = []
        var requests: [String] = []
        /// Paths that begin so may not be written.
        var refused: String?
    }

    private let contents = Mutex(Contents())

    /// The paths below the bucket's prefix with what lies there; the publisher's notes are not told.
    var objects: [String: Stored] {
        contents.withLock { $0.objects.filter { !$0.key.hasPrefix(".gatehouse/") } }
    }

    /// The publisher's notes, by name.
    var notes: [String: String] {
        contents.withLock { contents in
            let notes = contents.objects.filter { $0.key.hasPrefix(".gatehouse/") }
            return Dictionary(uniqueKeysWithValues: notes.map { (String($0.key.dropFirst(".gatehouse/".count)), $0.value.body) })
        }
    }

    var requests: [String] { contents.withLock { $0.requests } }

    func forgetRequests() { contents.withLock { $0.requests = [] } }

    func put(_ stored: Stored?, at path: String) { contents.withLock { $0.objects[path] = stored } }

    func refuse(_ start: String) { contents.withLock { $0.refused = start } }

    func fail(_ statuses: [Int?]) {
        contents.withLock { $0.failures = statuses }
    }

    func admission(of head: HTTPRequest, hasBody: Bool) -> Admission {
        Admission(pattern: "object", .admitted { [self] request in answer(request) })
    }

    func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse { HTTPResponse(status: 400) }

    func finished(_ exchange: FinishedExchange) {}

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let path = String(request.path.dropFirst("/feeds/one".count))
        return contents.withLock { contents in
            contents.requests.append("\(request.method.rawValue) \(path)")
            if let refused = contents.refused, path.hasPrefix(refused), request.method == .put {
                return HTTPResponse(status: 403, body: Array("<Error><Code>AccessDenied</Code></Error>".utf8))
            }
            let failure = contents.failures.isEmpty ? nil : contents.failures.removeFirst() as Int?
            if failure == nil, let done = Self.carryOut(request, path, &contents) { return done }
            return HTTPResponse(status: failure ?? 404, body: Array("<Error><Code>NoSuchKey</Code></Error>".utf8))
        }
    }

    private static func carryOut(_ request: HTTPRequest, _ path: String, _ contents: inout Contents) -> HTTPResponse? {
        switch request.method {
        case .put:
            contents.objects[path] = Stored(
                body: String(decoding: request.body, as: UTF8.self),
                sequence: request.headers["x-amz-meta-gatehouse-sequence"].flatMap { Int($0) },
                contentType: request.headers["Content-Type"] ?? "",
                cacheControl: request.headers["Cache-Control"] ?? ""
            )
            return HTTPResponse(status: 200)
        case .delete:
            contents.objects[path] = nil
            return HTTPResponse(status: 204)
        default:
            guard let stored = contents.objects[path] else { return nil }
            var headers: HTTPHeaders = ["Content-Type": stored.contentType, "Cache-Control": stored.cacheControl]
            if let sequence = stored.sequence { headers.set("x-amz-meta-gatehouse-sequence", String(sequence)) }
            return HTTPResponse(status: 200, headers: headers, body: Array(stored.body.utf8))
        }
    }
}

/// Headers as feeds have them.
enum FeedLike {
    static let contentType = "application/json; charset=utf-8"
    static let cacheControl = "public, max-age=0"
}
