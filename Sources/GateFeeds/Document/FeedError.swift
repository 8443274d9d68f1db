package import GateModel

/// A feed cannot be made of an app as it stands; the change that leads there must be rolled back.
///
/// Values are validated when they are written. That one of them is found wrong here means that a rule and its platform do not fit
/// together any more, such as after a change of the version scheme, and that phones would be harmed by publishing it.
package struct FeedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Stable, for programs: `unpublishable_version`, `unpublishable_message`, `unpublishable_interval`.
    package let code: String
    package let target: TargetKey
    /// RFC 6901 pointer into the target's gate document: `/requiredUpdate/minimumVersion`.
    package let field: String
    /// One sentence for people that names the remedy.
    package let detail: String

    package init(code: String, target: TargetKey, field: String, detail: String) {
        self.code = code
        self.target = target
        self.field = field
        self.detail = detail
    }

    package var description: String { "\(target) \(field): \(detail) (\(code))" }
}
