import GateJSON
import GateModel

/// States, rules, times and changes in words.
enum Words {
    static func symbol(_ state: GateState) -> String {
        switch state {
        case .blocked: "■"
        case .updateRequired: "▲"
        case .notice: "◆"
        case .open: "○"
        }
    }

    static func name(_ state: GateState) -> String {
        switch state {
        case .blocked: "BLOCKED"
        case .updateRequired: "UPDATE"
        case .notice: "NOTICE"
        case .open: "OPEN"
        }
    }

    static func tint(_ state: GateState) -> Style.Tint {
        switch state {
        case .blocked: .blocked
        case .updateRequired: .update
        case .notice: .notice
        case .open: .open
        }
    }

    static func badge(_ state: GateState) -> String { "\(symbol(state)) \(name(state))" }

    /// The rules of a gate, the winning one first: "kill · all versions; also below 4.2.0".
    ///
    /// While it is being opened gradually: "opening, 34 % · all versions".
    static func detail(_ gate: Gate, at now: Timestamp) -> String {
        var parts = rules(gate)
        if let opening = gate.opening { parts[0] = "opening, \(opening.percent(at: now)) % · all versions" }
        guard let first = parts.first else { return "–" }
        return first + (parts.count > 1 ? "; also " + parts.dropFirst().joined(separator: ", ") : "")
    }

    /// Each rule in force, in the order of precedence.
    static func rules(_ gate: Gate) -> [String] {
        var parts: [String] = []
        if gate.killSwitch != nil { parts.append("kill · all versions") }
        if gate.forceUpdate != nil { parts.append("forced update · all versions") }
        if let required = gate.requiredUpdate {
            parts.append(
                "below \(required.minimumVersion)"
                    + (required.blockedVersions.isEmpty ? "" : " and \(required.blockedVersions.joined(separator: ", "))")
            )
        }
        if gate.blockingAlert != nil { parts.append("blocking alert") }
        if let optional = gate.optionalUpdate { parts.append("update to \(optional.optionalVersion) offered") }
        if let alert = gate.alert, !alert.blocking { parts.append("alert") }
        return parts
    }

    /// The message of the rule that makes the state, as feeds without languages have it: a blocking alert lets nobody past, a minimum
    /// version only the newer ones.
    static func message(_ gate: Gate) -> String? {
        let message =
            gate.killSwitch?.message ?? gate.forceUpdate?.message ?? gate.blockingAlert?.message ?? gate.requiredUpdate?.message
            ?? gate.optionalUpdate?.message ?? gate.alert?.message
        return message.map { Style.safe($0.defaultText) }
    }

    /// Which apps somebody may touch: `all apps`, `bank, shop`.
    static func apps(_ scope: AppScope) -> String {
        switch scope {
        case .all: "all apps"
        case .only(let apps): apps.isEmpty ? "no app" : apps.sorted().map(\.text).joined(separator: ", ")
        }
    }

    /// `blog/ios, news/ios and 3 more`: four names at most.
    static func some(_ names: [String]) -> String {
        let told = names.prefix(4).joined(separator: ", ")
        return names.count <= 4 ? told : "\(told) and \(names.count - 4) more"
    }

    /// `12s`, `14m`, `3h`, `12d`
    static func age(from then: Timestamp, to now: Timestamp) -> String {
        let seconds = max(0, (now.milliseconds - then.milliseconds) / 1_000)
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3_600: return "\(seconds / 60)m"
        case ..<86_400: return "\(seconds / 3_600)h"
        default: return "\(seconds / 86_400)d"
        }
    }

    /// What is left until a moment: `45s`, `16m`, `1h 59m`, `3d 4h`.
    static func left(from now: Timestamp, to then: Timestamp) -> String {
        let seconds = max(0, (then.milliseconds - now.milliseconds + 500) / 1_000)
        func both(_ large: Int64, _ name: String, _ small: Int64, _ smallName: String) -> String {
            small == 0 ? "\(large)\(name)" : "\(large)\(name) \(small)\(smallName)"
        }
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3_600: return "\(seconds / 60)m"
        case ..<86_400: return both(seconds / 3_600, "h", seconds % 3_600 / 60, "m")
        default: return both(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h")
        }
    }

    /// `2026-04-02 09:02:14 UTC`, and beside it what clocks in a zone show where that differs: `(11:02 +02:00)`, with the date where it is
    /// another day there.
    /// - Parameter zone: the one that a time was typed in; else this machine's.
    static func time(_ time: Timestamp, inUTC: Bool, zone: Zone = .current) -> String {
        let utc = second(time)
        guard !inUTC, zone.offset(at: time) != 0, let shown = try? zone.zoned(time, as: zone.name ?? "local") else { return utc + " UTC" }
        let wall = second(zone.wall(at: time)).prefix(16)
        return "\(utc) UTC (\(wall.prefix(10) == utc.prefix(10) ? wall.suffix(5) : wall) \(shown.offset))"
    }

    /// `2026-04-02 09:02:14`
    private static func second(_ time: Timestamp) -> String { String(time.description.dropLast(5)).replacing("T", with: " ") }

    /// `09:32 UTC`, with the date if that is not today.
    static func clock(_ time: Timestamp, now: Timestamp) -> String {
        let text = time.description
        let minute = String(text.dropFirst(11).prefix(5)) + " UTC"
        return text.prefix(10) == now.description.prefix(10) ? minute : "\(text.prefix(10)) \(minute)"
    }

    /// A value of a diff: `"Back at 09:30."`, `30`; nothing is `–`.
    static func value(_ value: JSONValue?) -> String { value.map { Style.safe($0.text) } ?? "–" }

    /// What a change did, in a few words.
    static func sentence(_ change: Change) -> String {
        switch change.kind {
        case .create: return change.targets.isEmpty ? "created the app" : "created the platform"
        case .delete: return "deleted"
        case .settings: return "settings"
        case .revert: return "reverted" + effect(change)
        case .import: return "imported a file" + effect(change)
        case .restore: return "restored from a backup"
        case .apply: return "applied" + effect(change)
        case .set: return change.targets.first.map { edits($0.before, $0.after) } ?? "set"
        }
    }

    private static func effect(_ change: Change) -> String {
        guard let target = change.targets.first else { return "" }
        // Creating or removing a platform says more than its rules do.
        if let settings = target.settings, settings.after == nil { return ": removed the platform" }
        if let settings = target.settings, settings.before == nil { return ": created the platform" }
        return ": " + edits(target.before, target.after)
    }

    /// The rules in which two gates differ, each in words.
    static func edits(_ before: Gate, _ after: Gate) -> String {
        let parts = Rule.allCases.compactMap { rule -> String? in
            guard before.json(of: rule) != after.json(of: rule) else { return nil }
            return edit(rule, before, after)
        }
        return parts.isEmpty ? "no rule changed" : parts.joined(separator: ", ")
    }

    private static func edit(_ rule: Rule, _ before: Gate, _ after: Gate) -> String {
        let verb = !before.isOn(rule) ? "" : after.isOn(rule) ? "changed " : "cleared "
        switch rule {
        case .killSwitch where after.opening.map { $0.start != before.opening?.start } == true: return "began to open gradually"
        case .killSwitch where before.opening != nil && after.killSwitch != nil && after.opening == nil: return "killed"
        case .killSwitch: return !before.isOn(rule) ? "killed" : after.isOn(rule) ? "changed the kill" : "opened"
        case .forceUpdate: return (verb.isEmpty ? "set " : verb) + "forced update"
        case .requiredUpdate:
            switch (before.requiredUpdate?.minimumVersion, after.requiredUpdate?.minimumVersion) {
            case (nil, let new?): return "minimum version \(new)"
            case (let old?, nil): return "cleared minimum version \(old)"
            case (let old?, let new?): return old == new ? "changed minimum version \(new)" : "minimum version \(old) → \(new)"
            case (nil, nil): return ""
            }
        case .optionalUpdate: return after.optionalUpdate.map { "offered update to \($0.optionalVersion)" } ?? "cleared optional update"
        case .alert: return after.alert.map { $0.blocking ? "blocking alert" : "alert" } ?? "cleared alert"
        }
    }
}
