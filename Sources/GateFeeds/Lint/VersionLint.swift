import GateModel

/// What a version rule must not say, whichever library reads it (wire formats 6.1 items 23 and 24).
enum VersionLint {
    static func findings(_ change: GateChange) -> [Finding] {
        [order(change), unknownReleases(change), notInStaticFeeds(change)].flatMap { $0 } + unreleased(change) + force(change)
    }

    /// Nobody would ever see an optional update for versions that must update anyway.
    private static func order(_ change: GateChange) -> [Finding] {
        guard change.setsMinimumVersion || change.setsOptionalVersion,
            let minimum = change.after.requiredUpdate?.minimumVersion, let optional = change.after.optionalUpdate?.optionalVersion,
            !change.settings.versionScheme.isOlder(minimum, than: optional)
        else { return [] }
        return [
            Finding(
                code: "optional_not_above_required",
                detail:
                    "On \(change.target) the optional version \(optional) is not above the minimum version \(minimum), so nobody would be offered it; raise it or clear one of the two.",
                versions: [optional],
                field: change.setsOptionalVersion ? VersionField.optional : VersionField.minimum,
                severity: .refusal(overridable: false)
            )
        ]
    }

    /// A minimum set by the change is refused; one that was accepted earlier causes a warning as long as it keeps everybody out.
    private static func unreleased(_ change: GateChange) -> [Finding] {
        guard let newest = change.settings.newestRelease else { return [] }
        func isUnreleased(_ version: String) -> Bool { change.settings.versionScheme.isOlder(newest, than: version) }
        var findings: [Finding] = []
        if let version = change.after.requiredUpdate?.minimumVersion, isUnreleased(version),
            change.setsMinimumVersion || change.after.killSwitch == nil
        {
            findings.append(
                Finding(
                    code: "above_newest_release",
                    detail:
                        "On \(change.target) the minimum version \(version) is newer than \(newest), the newest known release, so nobody can satisfy it; add it to the releases once the store has it.",
                    versions: [newest],
                    field: VersionField.minimum,
                    severity: change.setsMinimumVersion ? .refusal(overridable: true) : .warning
                )
            )
        }
        if change.setsOptionalVersion, let version = change.after.optionalUpdate?.optionalVersion, isUnreleased(version) {
            findings.append(
                Finding(
                    code: "above_newest_release",
                    detail:
                        "On \(change.target) the optional version \(version) is newer than \(newest), the newest known release; add it to the releases once the store has it.",
                    versions: [newest],
                    field: VersionField.optional
                )
            )
        }
        return findings
    }

    private static func unknownReleases(_ change: GateChange) -> [Finding] {
        guard change.settings.releases.isEmpty, let first = change.versionsSet.first else { return [] }
        return [
            Finding(
                code: "no_known_releases",
                detail:
                    "No releases of \(change.target) are known, so nothing could be checked against them; add the shipped versions to the platform's settings.",
                field: first.field
            )
        ]
    }

    private static func force(_ change: GateChange) -> [Finding] {
        guard change.after.forceUpdate != nil, change.settings.releases.isEmpty else { return [] }
        return [
            Finding(
                code: "force_without_release",
                detail:
                    "No release of \(change.target) is known, so only Bellerophon, the native feed and answers to phones that name their version carry the forced update; add the newest release to the platform's settings.",
                field: "/forceUpdate"
            )
        ]
    }

    /// Phones that send nothing about themselves all get the same answer.
    private static func notInStaticFeeds(_ change: GateChange) -> [Finding] {
        var findings: [Finding] = []
        if change.sets(.requiredUpdate), let blocked = change.after.requiredUpdate?.blockedVersions, !blocked.isEmpty {
            findings.append(
                Finding(
                    code: "not_in_static_feeds",
                    detail:
                        "The blocked versions of \(change.target) reach targeted and native feeds only; raise the minimum version to stop them everywhere.",
                    versions: blocked,
                    field: "/requiredUpdate/blockedVersions"
                )
            )
        }
        for (rule, message) in change.after.messages where change.sets(rule) && !message.languages.isEmpty {
            findings.append(
                Finding(
                    code: "not_in_static_feeds",
                    detail:
                        "The languages of this message on \(change.target) reach targeted and native feeds only; all others show its default text.",
                    field: "/\(rule.rawValue)/message"
                )
            )
        }
        return findings
    }
}
