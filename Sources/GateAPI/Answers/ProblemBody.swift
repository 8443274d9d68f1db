package import GateJSON
package import GateModel

/// A refusal (RFC 9457), of media type `application/problem+json`.
package struct ProblemBody: APIBody {
    /// What the status says in general: "Unprocessable Content".
    package var title: String
    /// The HTTP status once more, for who only has the body.
    package var status: Int
    /// Stable, for programs: `invalid_version`, `stale_revision`.
    package var code: String
    /// One sentence for people that names the remedy; never a secret, a path or SQL.
    package var detail: String
    /// RFC 6901 pointer to the member of the request's body, where one is at fault.
    package var field: String?
    /// Whether the same request goes through with ``code`` among its `accept`.
    package var overridable: Bool
    /// Finds the request in the server's log.
    package var requestId: String
    /// 412: the target as it stands now.
    package var current: TargetBody?
    /// `confirmation_required` and `reason_required`: what would be done.
    package var plan: Plan?
    /// A refused import: every value at fault.
    package var refused: [RefusedBody]?
    /// `skipped_time` and `ambiguous_time`: the times that could be meant instead.
    package var choices: [JSONValue]?

    package init(
        title: String, status: Int, code: String, detail: String, field: String? = nil, overridable: Bool = false, requestId: String,
        current: TargetBody? = nil, plan: Plan? = nil, refused: [RefusedBody]? = nil, choices: [JSONValue]? = nil
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

    /// Also reads a body that a proxy or an older server wrote with less in it: only `status` must be there.
    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A problem")
        status = try reader.integer("status")
        title = try reader.optionalString("title") ?? ""
        code = try reader.optionalString("code") ?? ""
        detail = try reader.optionalString("detail") ?? ""
        field = try reader.optionalString("field")
        overridable = try reader.flag("overridable", default: false)
        requestId = try reader.optionalString("requestId") ?? ""
        current = try reader.optionalDocument("current", TargetBody.init(json:))
        plan = try reader.optionalDocument("plan", Plan.init(json:))
        refused = try reader.optionalList("refused", RefusedBody.init(json:))
        choices = reader.optional("choices")?.array
    }

    package var json: JSONValue {
        var object: JSONObject = [
            "type": .string("about:blank"), "title": .string(title), "status": .integer(status), "code": .string(code), "detail": .string(detail),
        ]
        if let field { object["field"] = .string(field) }
        if overridable { object["overridable"] = .bool(true) }
        object["requestId"] = .string(requestId)
        if let current { object["current"] = current.json }
        if let plan { object["plan"] = plan.json }
        if let refused { object["refused"] = .array(refused.map(\.json)) }
        if let choices { object["choices"] = .array(choices) }
        return .object(object)
    }
}
