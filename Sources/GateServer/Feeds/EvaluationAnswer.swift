import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService

/// The OpenFeature Remote Evaluation Protocol 0.3 on the feeds listener: `POST /ofrep/v1/evaluate/flags` and `/flags/{key}`.
///
/// The answers are the protocol's (`service/openapi.yaml` of open-feature/protocol): 200 with a flag or all of them, 304 to a caller that
/// has them, 400 with `PARSE_ERROR` or `INVALID_CONTEXT`, and `FLAG_NOT_FOUND` for a flag, an app or a platform that does not exist. The
/// last is 404 for one flag, and 400 for all of them, for which the protocol has no 404. Answered from memory, like feeds.
enum EvaluationAnswer {
    static let root = "/ofrep/"

    private static let all = "/ofrep/v1/evaluate/flags"
    private static let methods = "POST, OPTIONS"

    static func admission(to table: FeedTable) -> Admission {
        Admission(pattern: "/ofrep", maximumBodyBytes: EvaluationContext.maximumBytes, .admitted { answer($0, from: table) })
    }

    private static func answer(_ request: HTTPRequest, from table: FeedTable) -> HTTPResponse {
        guard let question = Question(path: request.path) else {
            return told(404, "There is nothing at this address: the flags are at \(all).")
        }
        switch request.method {
        case .options: return options
        case .post: break
        default:
            var response = told(405, "Flags are evaluated with POST.")
            response.headers.append("Allow", methods)
            return response
        }
        do throws(EvaluationContext.Fault) {
            return try evaluated(question, request, from: table)
        } catch {
            var body: JSONObject = ["errorCode": .string(error.code), "errorDetails": .string(error.detail)]
            if case .one(let key) = question { body["key"] = .string(key) }
            if case .unknownTarget = error, case .one = question { return json(404, body) }
            return json(400, body)
        }
    }

    /// What is asked for.
    private enum Question {
        case everything
        case one(String)

        /// Nil for an address that is not one of the protocol's.
        init?(path: String) {
            if path == all {
                self = .everything
                return
            }
            guard path.hasPrefix(all + "/") else { return nil }
            // A key is echoed in answers; none of ours is longer.
            let key = PercentEncoding.decode(path.utf8.dropFirst(all.utf8.count + 1))
            guard let key, !key.isEmpty, !key.contains("/"), key.utf8.count <= 256 else { return nil }
            self = .one(key)
        }
    }

    private static func evaluated(
        _ question: Question,
        _ request: HTTPRequest,
        from table: FeedTable
    ) throws(EvaluationContext.Fault) -> HTTPResponse {
        let context = try EvaluationContext(body: request.body)
        let opened = table.openSource(of: context.target) { context.draw { request.headers.sender(at: request.peer) } }
        guard let source = opened ?? table.source(of: context.target.app) else {
            if table.mayHave(FeedName.gate.path(for: context.target)) || table.native(of: context.target) != nil {
                var response = told(503, "The gate cannot be read at the moment.")
                response.headers.append("Retry-After", "5")
                return response
            }
            throw .unknownTarget("There is no target \(context.target).")
        }
        guard let flags = source.feeds.flags(of: context.phone, on: context.target.platform) else {
            throw .unknownTarget("There is no target \(context.target).")
        }
        let body: JSONObject
        switch question {
        case .everything: body = ["flags": .array(flags.documents.map(JSONValue.object))]
        case .one(let name):
            guard let key = FlagKey(rawValue: name) else {
                throw .unknownTarget(
                    "There is no flag of that name: the flags are \(FlagKey.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            body = flags.document(of: key)
        }
        source.counter(of: context.phone, on: context.target.platform)?.count()
        return counted(JSONValue.object(body).bytes, request, table.native(of: context.target))
    }

    /// The answer, or 304 to a caller that has it; counted as a poll of the target's native feed, which says the same.
    private static func counted(_ bytes: [UInt8], _ request: HTTPRequest, _ native: PreparedResponse?) -> HTTPResponse {
        let tag = "\"\(PublishedApp.Feed.etag(of: bytes))\""
        var headers = HeaderSet.evaluation
        headers.append("ETag", tag)
        let known = request.headers.values(of: "If-None-Match")
        if ConditionalRequest.matches(ifNoneMatch: known, etag: tag) {
            native?.polls.countConfirmed()
            return HTTPResponse(status: 304, headers: headers)
        }
        if known.isEmpty { native?.polls.countFetched() } else { native?.polls.countReplaced() }
        headers.append("Content-Type", "application/json; charset=utf-8")
        return HTTPResponse(status: 200, headers: headers, body: bytes)
    }

    private static func told(_ status: Int, _ detail: String) -> HTTPResponse { json(status, ["errorDetails": .string(detail)]) }

    private static func json(_ status: Int, _ body: JSONObject) -> HTTPResponse {
        var headers = HeaderSet.evaluation
        headers.append("Content-Type", "application/json; charset=utf-8")
        return HTTPResponse(status: status, headers: headers, body: JSONValue.object(body).bytes)
    }

    /// The answer to a browser's preflight from another origin. Providers send a credential if they have one; it is not looked at here.
    private static var options: HTTPResponse {
        var headers = HeaderSet.evaluation
        for (name, value) in [
            ("Allow", methods), ("Access-Control-Allow-Methods", methods),
            ("Access-Control-Allow-Headers", "Content-Type, If-None-Match, Authorization, X-API-Key, Cache-Control"),
            ("Access-Control-Max-Age", "86400"),
        ] { headers.append(name, value) }
        return HTTPResponse(status: 200, headers: headers)
    }
}
