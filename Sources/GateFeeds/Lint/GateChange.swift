import GateModel

/// The input of the lints: two gates of a target, and what is known about its platform.
struct GateChange {
    let before: Gate
    let after: Gate
    let target: TargetKey
    let settings: PlatformSettings
    let previous: PreviousNotices
    /// The app's other targets as they will be.
    let beside: [Target]

    /// Whether the rule is on afterwards and differs from what it was.
    func sets(_ rule: Rule) -> Bool { after.json(of: rule).map { $0 != before.json(of: rule) } ?? false }

    /// Whether the rule was off before and is on afterwards.
    func turnsOn(_ rule: Rule) -> Bool { !before.isOn(rule) && after.isOn(rule) }

    var setsMinimumVersion: Bool { after.requiredUpdate.map { $0.minimumVersion != before.requiredUpdate?.minimumVersion } ?? false }

    var setsOptionalVersion: Bool { after.optionalUpdate.map { $0.optionalVersion != before.optionalUpdate?.optionalVersion } ?? false }

    /// Whether the change lets nobody past who could pass before: a kill switch or a blocking alert is new.
    var startsBlockingDialog: Bool {
        turnsOn(.killSwitch)
            || (after.killSwitch == nil && after.blockingAlert != nil && before.blockingAlert == nil && before.killSwitch == nil)
    }

    var objectDialect: ObjectDialect { ObjectDialect(platform: target.platform, scheme: settings.versionScheme) }

    /// The version rules that are on afterwards and whose version the change sets, with the version's field.
    var versionsSet: [(version: String, field: String)] {
        var versions: [(version: String, field: String)] = []
        if setsMinimumVersion, let rule = after.requiredUpdate { versions.append((rule.minimumVersion, VersionField.minimum)) }
        if setsOptionalVersion, let rule = after.optionalUpdate { versions.append((rule.optionalVersion, VersionField.optional)) }
        return versions
    }
}

/// Pointers to the versions of a gate document.
enum VersionField {
    static let minimum = "/requiredUpdate/minimumVersion"
    static let optional = "/optionalUpdate/optionalVersion"
}
