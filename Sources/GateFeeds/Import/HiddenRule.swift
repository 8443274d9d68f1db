package import GateJSON
package import GateModel

/// A rule of a file that its client library does not look at today, so that taking it over would show something to people who see nothing.
package struct HiddenRule: Sendable, Hashable {
    package let rule: Rule
    /// The rule as a member of a gate.
    package let json: JSONValue
    /// Why it is refused unless the caller accepts that.
    package let refusal: RefusedValue

    /// The refusal as a finding about the target.
    package var finding: Finding {
        Finding(
            code: refusal.code,
            detail: refusal.detail,
            field: "/\(rule.rawValue)",
            severity: .refusal(overridable: refusal.overridable)
        )
    }
}
