package import GateModel

/// Something about a change that people should know before it is made, or that prevents it.
package struct Finding: Sendable, Hashable {
    package enum Severity: Sendable, Hashable {
        /// Does not prevent the change.
        case warning
        /// Prevents the change (422 with ``Finding/code``), unless it is overridable and the change lists its code in `accept`.
        case refusal(overridable: Bool)
    }

    /// A stable code for programs: `text_order`, `masked_alert`.
    package let code: String
    /// One sentence that names the target, says what phones will do, and says what to do about it.
    package let detail: String
    /// The releases concerned, if it is about releases.
    package let versions: [String]
    /// RFC 6901 pointer into the gate document: `/requiredUpdate/minimumVersion`.
    package let field: String
    package let severity: Severity

    package init(code: String, detail: String, versions: [String] = [], field: String, severity: Severity = .warning) {
        self.code = code
        self.detail = detail
        self.versions = versions
        self.field = field
        self.severity = severity
    }

    package var isRefusal: Bool { severity != .warning }

    /// The finding as a line of a plan.
    package var warning: Warning { Warning(code: code, detail: detail, versions: versions) }
}
