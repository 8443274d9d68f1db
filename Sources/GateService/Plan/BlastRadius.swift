import GateFeeds
import GateModel

/// How large a share of a target's polls a change newly shuts out, as far as the polls tell.
struct BlastRadius {
    /// How many versions are named one by one.
    private static let mostNamed = 5
    /// The codes of its warnings.
    static let codes: Set<String> = ["blast_radius", "blast_radius_unknown"]

    private let target: TargetKey
    /// Polls of the last hour that named a version.
    private let polls: Int
    /// The versions that are shut out after the change and were not before, the most polled first.
    private let shut: [PolledVersions.Version]
    /// Polls of versions that are not told apart, as many as are newly shut out at least and at most.
    private let untold: ClosedRange<Int>
    /// Whether the rule that shuts them out applies to every version.
    let isEverybody: Bool

    /// - Returns: nil for a change that shuts out nobody, for one whose target nobody polls, and where the gate meant everybody who polls
    ///   to be shut out already. Whom that did not reach, because their library shows nothing of it, only the effects tell.
    init?(of changed: ChangedTarget, settings: PlatformSettings, polls record: (any PollRecord)?) {
        guard let rule = DangerTier.rule(shuttingOut: changed.before, changed.after, scheme: settings.versionScheme), let record else {
            return nil
        }
        let polled = record.polledVersions(of: changed.target)
        isEverybody = rule != .requiredUpdate
        // A kill applies to every version; that no poll names its version matters only where versions decide.
        guard polled.polls > 0 || !isEverybody && !record.polledFeeds(of: changed.target).isEmpty else { return nil }
        target = changed.target
        polls = polled.polls
        // A rule for every version shuts out all of them where nobody is shut out yet.
        untold = (isEverybody && !changed.before.opened.shutsSomebodyOut ? polled.others : 0)...polled.others
        let (old, scheme) = (changed.settings?.before ?? settings, settings.versionScheme)
        let (before, after) = (GateMeaning(changed.before.opened, settings: old), GateMeaning(changed.after, settings: settings))
        // Each version is parsed once: all targets together have 20,000 versions at most, and a plan may be made while others wait.
        shut = polled.versions.filter { version in
            let order = OrderedVersion(version.text, scheme)
            guard after.shown(to: order).shutsOut else { return false }
            return !before.shown(to: old.versionScheme == scheme ? order : OrderedVersion(version.text, old.versionScheme)).shutsOut
        }
        if shut.isEmpty, untold.upperBound == 0, polls > 0, isEverybody || changed.before.opened.state == .blocked { return nil }
    }

    /// The least and the most that the share of newly shut-out versions among the polls that named a version can be, 0 to 1; nil where none
    /// named one. They differ where some versions are not told apart.
    var share: ClosedRange<Double>? {
        guard polls > 0 else { return nil }
        let shut = shut.reduce(0) { $0 + $1.polls }
        return Double(shut + untold.lowerBound) / Double(polls)...Double(shut + untold.upperBound) / Double(polls)
    }

    var warning: Warning {
        guard let share else {
            return Warning(
                code: "blast_radius_unknown",
                detail: "How many people of \(target) this shuts out is not known: no poll of the last hour named its version."
            )
        }
        let named = shut.prefix(Self.mostNamed).map { "\($0.text) (\(percent($0.polls)))" }
        let rest = shut.dropFirst(Self.mostNamed)
        let more = rest.isEmpty ? [] : ["\(rest.count) more (\(percent(rest.reduce(0) { $0 + $1.polls })))"]
        // Others may be shut out already.
        let verb = shut.isEmpty && untold.upperBound == 0 ? "Newly blocks" : "Blocks"
        let list = shut.isEmpty ? "" : ": " + (named + more).joined(separator: ", ")
        let (least, most) = (Self.percent(share.lowerBound), Self.percent(share.upperBound))
        let range = least == most ? least : "between \(least) and \(most)"
        let why = least == most ? "" : " The other versions are too many to tell apart."
        return Warning(
            code: "blast_radius",
            detail: "\(verb) \(range) of the polls of the last hour on \(target)\(list).\(why)"
        )
    }

    private func percent(_ polls: Int) -> String { Self.percent(Double(polls) / Double(self.polls)) }

    /// In whole percent, but a small share is never shown as 0 %, nor a share below all as 100 %.
    private static func percent(_ share: Double) -> String {
        if share > 0, share < 0.01 { return "less than 1 %" }
        if share < 1, share > 0.99 { return "99 %" }
        return "\(Int((share * 100).rounded())) %"
    }
}
