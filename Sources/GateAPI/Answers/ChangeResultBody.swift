package import GateJSON
package import GateModel

/// The answer to a write: what it changed, or, for a dry run, what it would change.
///
/// A committed write says `changed` and `change` (null when nothing changed); a dry run has `plan` alone; a deletion has `change` and
/// `plan`.
package struct ChangeResultBody: TabledBody {
    /// Nil for a dry run and for a deletion.
    package var changed: Bool?
    package var change: Change?
    package var plan: Plan
    /// What an import left out; nil for writes that are not imports.
    package var refused: [RefusedValue]?
    /// What a file of an app's own shape becomes; nil except when one is taken over.
    package var takeover: TakeoverProof?
    /// The sequence that an apply was planned at, to be named when it is carried out; nil except for the dry run of an apply.
    package var sequence: Int?

    private init(
        changed: Bool?,
        change: Change?,
        plan: Plan,
        refused: [RefusedValue]?,
        takeover: TakeoverProof? = nil,
        sequence: Int? = nil
    ) {
        self.changed = changed
        self.change = change
        self.plan = plan
        self.refused = refused
        self.takeover = takeover
        self.sequence = sequence
    }

    /// - Parameter change: nil when the request asked for the state that there is already; then nothing was written.
    package static func committed(_ change: Change?, plan: Plan, refused: [RefusedValue]? = nil) -> ChangeResultBody {
        ChangeResultBody(changed: change != nil, change: change, plan: plan, refused: refused)
    }

    package static func planned(_ plan: Plan, refused: [RefusedValue]? = nil) -> ChangeResultBody {
        ChangeResultBody(changed: nil, change: nil, plan: plan, refused: refused)
    }

    package static func deleted(_ change: Change, plan: Plan) -> ChangeResultBody {
        ChangeResultBody(changed: nil, change: change, plan: plan, refused: nil)
    }

    package static let table = FieldTable<ChangeResultBody>(
        answer: "ChangeResult",
        "An answer",
        .optional("changed", .flag, \.changed),
        .change,
        .needed("plan", .body, \.plan),
        .optional("refused", .list(of: .document), \.refused),
        .optional("takeover", .body, \.takeover),
        .optional("sequence", .integer(0...), \.sequence),
        make: ChangeResultBody.init(changed:change:plan:refused:takeover:sequence:)
    )
}

extension Field where Document == ChangeResultBody, Value == Change? {
    /// `null` means that nothing changed; a dry run has no such member.
    fileprivate static var change: Field {
        Field(schema: [.optional("change", .nullable(Change.schema))]) { reader throws(ModelError) in
            try reader.optionalValue("change", .body)
        } write: { answer, object in
            if answer.changed != nil || answer.change != nil { object["change"] = answer.change?.json ?? .null }
        }
    }
}
