package import GateModel

/// A feed cannot be made from an app in its present state; the change that led there must be rolled back.
///
/// Values are validated when they are written. If one is found wrong here, a rule and its platform no longer fit together, for example
/// after a change of the version scheme, and publishing it would harm phones.
package struct FeedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable code for programs: `unpublishable_version`, `unpublishable_message`, `unpublishable_interval`.
    package let code: String
    package let target: TargetKey
    /// RFC 6901 pointer into the target's gate document: `/requiredUpdate/minimumVersion`.
    package let field: String
    /// One sentence for people, which names the remedy.
    package let detail: String

    package init(code: String, target: TargetKey, field: String, detail: String) {
        self.code = code
        self.target = target
        self.field = field
        self.detail = detail
    }

    /// The rule that has the value; nil if a setting has it.
    package var rule: Rule? { field.split(separator: "/").first.flatMap { Rule(rawValue: String($0)) } }

    package var description: String { "\(target) \(field): \(detail) (\(code))" }
}
