package import GateModel

/// Compares two gates of a target and says what the client libraries will make of the difference.
package enum FeedLint {
    /// What is to be known about turning `before` into `after`, in a fixed order: refusals first.
    ///
    /// Only a rule that the change itself touches can refuse it: an old rule must never keep anybody from an unrelated act, least of all
    /// from opening an app. Warnings also repeat what stays true of the rules that are in force afterwards.
    /// - Parameters:
    ///   - settings: the platform's settings as they will be after the change.
    ///   - previousAlert: the text of the last alert that was not blocking, when it is no longer in `before`: phones still remember it.
    package static func findings(
        before: Gate, after: Gate, target: TargetKey, settings: PlatformSettings, previousAlert: String? = nil
    ) -> [Finding] {
        let change = GateChange(before: before, after: after, target: target, settings: settings, previousAlert: previousAlert)
        let findings =
            VersionLint.findings(change) + LaunchGateLint.findings(change) + GandalfLint.findings(change)
            + BellerophonLint.findings(change) + PrinceOfVersionsLint.findings(change) + MemoryLint.findings(change)
        return findings.filter(\.isRefusal) + findings.filter { !$0.isRefusal }
    }
}
