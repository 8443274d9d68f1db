package import GateJSON
package import GateModel

/// A refusal (RFC 9457), of media type `application/problem+json`.
package struct ProblemBody: TabledBody {
    /// What the status says in general: "Unprocessable Content".
    package var title: String
    /// The HTTP status again, for readers that only have the body.
    package var status: Int
    /// Stable, for programs: `invalid_version`, `stale_revision`.
    package var code: String
    /// One sentence for people that names the remedy; never a secret, a path or SQL.
    package var detail: String
    /// RFC 6901 pointer to the member of the request's body that is at fault, if one is.
    package var field: String?
    /// Whether the same request goes through with ``code`` among its `accept`.
    package var overridable: Bool
    /// Finds the request in the server's log.
    package var requestId: String
    /// 412: the target's current state.
    package var current: TargetBody?
    /// `confirmation_required` and `reason_required`: what would be done.
    package var plan: Plan?
    /// A refused import: every value at fault.
    package var refused: [RefusedValue]?
    /// `skipped_time` and `ambiguous_time`: the times that could be meant instead.
    package var choices: [JSONValue]?

    package init(
        title: String,
        status: Int,
        code: String,
        detail: String,
        field: String? = nil,
        overridable: Bool = false,
        requestId: String,
        current: TargetBody? = nil,
        plan: Plan? = nil,
        refused: [RefusedValue]? = nil,
        choices: [JSONValue]? = nil
    ) {
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
        self.overridable = overridable
        self.requestId = requestId
        self.current = current
        self.plan = plan
        self.refused = refused
        self.choices = choices
    }

    /// Also reads a shorter body that a proxy or an older server wrote: only `status` must be there.
    package static let table = FieldTable<ProblemBody>(
        answer: "Problem",
        "A problem",
        .told("type", .string, \.type),
        .needed("title", .string, \.title, missing: ""),
        .needed("status", .integer(400...599), \.status),
        .needed("code", .string, \.code, missing: ""),
        .needed("detail", .string, \.detail, missing: ""),
        .optional("field", .string, \.field),
        .optional("overridable", .flag, \.overridable, standard: false),
        .needed("requestId", .string, \.requestId, missing: ""),
        .optional("current", .body, \.current),
        .optional("plan", .body, \.plan),
        .optional("refused", .list(of: .document), \.refused),
        .optional("choices", JSONCodec.list(of: .anything).described(as: .array(of: ZonedTime.schema)), \.choices)
    ) { _, title, status, code, detail, field, overridable, requestId, current, plan, refused, choices in
        ProblemBody(
            title: title,
            status: status,
            code: code,
            detail: detail,
            field: field,
            overridable: overridable,
            requestId: requestId,
            current: current,
            plan: plan,
            refused: refused,
            choices: choices
        )
    }
}

extension ProblemBody {
    /// The general type; the code says what the problem is.
    private var type: String { "about:blank" }
}
