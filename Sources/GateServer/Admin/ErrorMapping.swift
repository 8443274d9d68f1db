import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

/// The one place that knows which status a refusal has.
extension ServiceError {
    var status: Int {
        switch code {
        case .malformed: 400
        case .unauthenticated: 401
        case .forbidden: 403
        case .notFound: 404
        case .exists, .conflict: 409
        case .revisionStale: 412
        case .invalid, .reasonRequired, .confirmationRequired, .idempotencyKeyReused: 422
        case .revisionMissing: 428
        case .tooMany: 429
        case .internal: 500
        case .starting, .unavailable: 503
        case .full: 507
        }
    }

    /// The refusal as an RFC 9457 problem.
    /// - Parameter target: makes the body with the target's current state, for a stale revision.
    func response(requestId: String, target: (Target) -> TargetBody) -> HTTPResponse {
        let problem = ProblemBody(
            title: Reason.phrase(status),
            status: status,
            code: word,
            detail: detail,
            field: field,
            overridable: isOverridable,
            requestId: requestId,
            current: current.map(target),
            plan: plan,
            refused: refused.isEmpty ? nil : refused,
            choices: choices.isEmpty ? nil : choices
        )
        var response = HTTPResponse.problem(problem)
        if let retryAfter { response.headers.set("Retry-After", String(retryAfter)) }
        if status == 401 { response.headers.set("WWW-Authenticate", "Bearer realm=\"gatehouse\"") }
        return response
    }
}

extension HTTPResponse {
    /// A JSON answer of the admin API.
    static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: HeaderSet.api + ["Content-Type": "application/json; charset=utf-8"], body: value.bytes)
    }

    static func problem(_ problem: ProblemBody) -> HTTPResponse {
        HTTPResponse(
            status: problem.status,
            headers: HeaderSet.api + ["Content-Type": "application/problem+json"],
            body: problem.json.bytes
        )
    }

    static func problem(status: Int, code: String, detail: String, requestId: String, allow: String? = nil) -> HTTPResponse {
        var response = problem(ProblemBody(title: Reason.phrase(status), status: status, code: code, detail: detail, requestId: requestId))
        if let allow { response.headers.set("Allow", allow) }
        return response
    }
}

/// The reason phrases of RFC 9110 section 15.
enum Reason {
    static func phrase(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        default: "Error"
        }
    }
}
