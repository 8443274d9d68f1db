package import GateJSON
import GateModel

/// What every write may say beside its content: why, the confirmation that was asked for, whether it is only a question.
package struct WriteTerms: Sendable, Hashable {
    /// Why, for the history; required for tiers 2 and 3 where the environment is protected.
    package var reason: String?
    /// The text that the plan asked for. Compared trimmed and without regard to case; ignored where none is asked.
    package var confirm: String?
    /// True: answer the plan and write nothing.
    package var dryRun: Bool
    /// Codes of refusals that the caller has seen and overrides, such as `text_order`; recorded with the change.
    package var accept: [String]

    package init(reason: String? = nil, confirm: String? = nil, dryRun: Bool = false, accept: [String] = []) {
        self.reason = reason
        self.confirm = confirm
        self.dryRun = dryRun
        self.accept = accept
    }

    package init(reading reader: inout ObjectReader) throws(ModelError) {
        reason = try reader.optionalString("reason")
        confirm = try reader.optionalString("confirm")
        dryRun = try reader.flag("dryRun", default: false)
        accept = try reader.strings("accept")
    }

    /// Adds the members that say something; a member left out means the same as its default.
    package func write(to object: inout JSONObject) {
        if let reason { object["reason"] = .string(reason) }
        if let confirm { object["confirm"] = .string(confirm) }
        if dryRun { object["dryRun"] = .bool(true) }
        if !accept.isEmpty { object["accept"] = .array(accept.map(JSONValue.string)) }
    }

    /// The members' names, for bodies whose other members are not fixed.
    package static let names = ["reason", "confirm", "dryRun", "accept"]
}

/// A body that asks for a write.
package protocol WriteRequest: APIBody {
    var terms: WriteTerms { get set }
}

extension WriteRequest {
    package var reason: String? { terms.reason }
    package var confirm: String? { terms.confirm }
    package var dryRun: Bool { terms.dryRun }
    package var accept: [String] { terms.accept }
}
