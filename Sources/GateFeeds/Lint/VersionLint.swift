import GateModel

/// What a version rule must not say, whichever library reads it (wire formats 6.1 items 23 and 24).
enum VersionLint {
    static func findings(_ change: GateChange) -> [Finding] {
        [order(change), unknownReleases(change), notInStaticFeeds(change)].flatMap { $0 } + unreleased(change) + force(change)
    }

    /// An optional update for versions that must update anyway is never shown to anybody.
    private static func order(_ change: GateChange) -> [Finding] {
        guard change.setsMinimumVersion || change.setsOptionalVersion,
            let minimum = change.after.requiredUpdate?.minimumVersion, let optional = change.after.optionalUpdate?.optionalVersion,
            !change.settings.versionScheme.isOlder(minimum, than: optional)
        else { return [] }
        return [
            Finding(
                code: "optional_not_above_required",
                detail: "On \(change.target) the optional version \(optional) is not above the minimum version \(minimum), so nobody would be offered it; raise it or clear one of the two.",
                versions: [optional], field: change.setsOptionalVersion ? VersionField.optional : VersionField.minimum,
                severity: .refusal(overridable: false)
            )
        ]
    }

    private static func unreleased(_ change: GateChange) -> [Finding] {
        guard let newest = change.settings.newestRelease else { return [] }
        return change.versionsSet.compactMap { version, field in
            guard change.settings.versionScheme.isOlder(newest, than: version) else { return nil }
            if field == VersionField.optional {
                return Finding(
                    code: "above_newest_release",
                    detail: "On \(change.target) the optional version \(version) is newer than \(newest), the newest known release; add it to the releases once the store has it.",
                    versions: [newest], field: field
                )
            }
            return Finding(
                code: "above_newest_release",
                detail: "On \(change.target) the minimum version \(version) is newer than \(newest), the newest known release, so everybody would be locked out; add it to the releases once the store has it.",
                versions: [newest], field: field, severity: .refusal(overridable: true)
            )
        }
    }

    private static func unknownReleases(_ change: GateChange) -> [Finding] {
        guard change.settings.releases.isEmpty, let first = change.versionsSet.first else { return [] }
        return [
            Finding(
                code: "no_known_releases",
                detail: "No releases of \(change.target) are known, so nothing could be checked against them; add the shipped versions to the platform's settings.",
                field: first.field
            )
        ]
    }

    private static func force(_ change: GateChange) -> [Finding] {
        guard change.after.forceUpdate != nil, change.settings.releases.isEmpty else { return [] }
        return [
            Finding(
                code: "force_without_release",
                detail: "No release of \(change.target) is known, so only Bellerophon and the native feed carry the forced update; add the newest release to the platform's settings.",
                field: "/forceUpdate"
            )
        ]
    }

    /// Phones that say nothing of themselves get one answer for all.
    private static func notInStaticFeeds(_ change: GateChange) -> [Finding] {
        var findings: [Finding] = []
        if change.sets(.requiredUpdate), let blocked = change.after.requiredUpdate?.blockedVersions, !blocked.isEmpty {
            findings.append(
                Finding(
                    code: "not_in_static_feeds",
                    detail: "The blocked versions of \(change.target) reach targeted and native feeds only; raise the minimum version to stop them everywhere.",
                    versions: blocked, field: "/requiredUpdate/blockedVersions"
                ))
        }
        for (rule, message) in change.after.messages where change.sets(rule) {
            guard case .localized(let texts) = message, texts.count > 1 else { continue }
            findings.append(
                Finding(
                    code: "not_in_static_feeds",
                    detail: "The languages of this message on \(change.target) reach targeted and native feeds only; all others show its default text.",
                    field: "/\(rule.rawValue)/message"
                ))
        }
        return findings
    }
}

extension Gate {
    /// The messages of the rules that are on, in the order of ``Rule``.
    var messages: [(rule: Rule, message: Message)] {
        let all: [(Rule, Message?)] = [
            (.killSwitch, killSwitch?.message), (.forceUpdate, forceUpdate?.message), (.requiredUpdate, requiredUpdate?.message),
            (.optionalUpdate, optionalUpdate?.message), (.alert, alert?.message),
        ]
        return all.compactMap { rule, message in message.map { (rule, $0) } }
    }
}
