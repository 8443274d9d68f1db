import GateFeeds
import GateModel

/// Sorts the findings of the client libraries' lints: refusals stop the change unless the caller named their code, warnings go into the
/// plan.
struct Lint {
    let terms: WriteTerms
    private var warnings: [Warning] = []
    private var known: Set<Warning> = []
    private var refusals: [(finding: Finding, pointer: String)] = []
    private var accepted: [String] = []

    init(terms: WriteTerms) { self.terms = terms }

    /// - Parameters:
    ///   - isRevert: for going back to an earlier gate, which must never be stopped by something that is only probably wrong with it.
    ///   - isConfirmed: for what somebody confirmed before this could be found: it is overridden, as far as it can be.
    mutating func add(_ findings: [Finding], at pointer: String, isRevert: Bool, isConfirmed: Bool = false) {
        for finding in findings {
            switch finding.severity {
            case .refusal(let overridable) where !(overridable && (isRevert || isConfirmed)): refusals.append((finding, pointer))
            case .refusal, .warning:
                if isConfirmed, finding.severity != .warning, !accepted.contains(finding.code) { accepted.append(finding.code) }
                let warning = Warning(code: finding.code, detail: finding.detail, versions: finding.versions)
                if known.insert(warning).inserted { warnings.append(warning) }
            }
        }
    }

    /// The warnings for the plan, including overridden refusals, and the codes that were overridden.
    /// - Throws: the first refusal that was not overridden.
    func result() throws(ServiceError) -> (warnings: [Warning], accepted: [String]) {
        var warnings = warnings
        var accepted = accepted
        for (finding, pointer) in refusals {
            guard case .refusal(overridable: true) = finding.severity, terms.accept.contains(finding.code) else {
                let isOverridable = finding.severity == .refusal(overridable: true)
                let remedy = isOverridable ? " To publish it all the same, accept \"\(finding.code)\"." : ""
                let refusal = ServiceError(.invalid, finding.code, finding.detail + remedy, field: pointer + finding.field)
                throw refusal.with(\.isOverridable, isOverridable)
            }
            warnings.append(Warning(code: finding.code, detail: finding.detail, versions: finding.versions))
            if !accepted.contains(finding.code) { accepted.append(finding.code) }
        }
        return (warnings, accepted)
    }
}
