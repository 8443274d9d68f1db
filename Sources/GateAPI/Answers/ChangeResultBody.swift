package import GateJSON
package import GateModel

/// The answer to a write: what it changed, or, for a dry run, what it would change.
///
/// A committed write says `changed` and `change` (null when nothing changed); a dry run has `plan` alone; a deletion has `change` and `plan`.
package struct ChangeResultBody: APIBody {
    /// Nil for a dry run and for a deletion.
    package var changed: Bool?
    package var change: Change?
    package var plan: Plan
    /// What an import left out; nil for writes that are no import.
    package var refused: [RefusedBody]?
    /// The sequence that an apply was planned at, to be named when it is carried out; nil for everything but its dry run.
    package var sequence: Int?

    private init(changed: Bool?, change: Change?, plan: Plan, refused: [RefusedBody]?) {
        self.changed = changed
        self.change = change
        self.plan = plan
        self.refused = refused
    }

    /// - Parameter change: nil when the request asked for what is already so; then nothing was written.
    package static func committed(_ change: Change?, plan: Plan, refused: [RefusedBody]? = nil) -> ChangeResultBody {
        ChangeResultBody(changed: change != nil, change: change, plan: plan, refused: refused)
    }

    package static func planned(_ plan: Plan, refused: [RefusedBody]? = nil) -> ChangeResultBody {
        ChangeResultBody(changed: nil, change: nil, plan: plan, refused: refused)
    }

    package static func deleted(_ change: Change, plan: Plan) -> ChangeResultBody {
        ChangeResultBody(changed: nil, change: change, plan: plan, refused: nil)
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An answer")
        let says = reader.optional("changed")
        changed = try says.map { _ throws(ModelError) in try reader.flag("changed") }
        change = try reader.optionalDocument("change", Change.init(json:))
        plan = try reader.document("plan", Plan.init(json:))
        refused = try reader.optionalList("refused", RefusedBody.init(json:))
        sequence = try reader.optionalInteger("sequence")
    }

    package var json: JSONValue {
        var object = JSONObject()
        if let changed { object["changed"] = .bool(changed) }
        if changed != nil || change != nil { object["change"] = change?.json ?? .null }
        object["plan"] = plan.json
        if let refused { object["refused"] = .array(refused.map(\.json)) }
        if let sequence { object["sequence"] = .integer(sequence) }
        return .object(object)
    }
}

/// A value of an imported file that cannot be published safely.
package struct RefusedBody: APIBody {
    /// Where it stands in the file: `android.requiredUpdate.minimumVersion`.
    package var path: String
    package var value: JSONValue
    /// Stable, for programs: `invalid_version`.
    package var code: String
    /// One sentence for people that names the remedy.
    package var detail: String
    /// Whether the value is taken with ``code`` among the request's `accept`.
    package var overridable: Bool

    package init(path: String, value: JSONValue, code: String, detail: String, overridable: Bool = false) {
        self.path = path
        self.value = value
        self.code = code
        self.detail = detail
        self.overridable = overridable
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A refused value")
        path = try reader.string("path")
        value = reader.optional("value") ?? .null
        code = try reader.string("code")
        detail = try reader.string("detail")
        overridable = try reader.flag("overridable", default: false)
    }

    package var json: JSONValue {
        var object: JSONObject = ["path": .string(path), "value": value, "code": .string(code), "detail": .string(detail)]
        if overridable { object["overridable"] = .bool(true) }
        return .object(object)
    }
}
